"""Dumps of MySQL and Doris, found, converted to Parquet under an AEAD, and read in DuckDB and Spark.

    pip install duckdb 'pyspark>=4.1' pyarrow cryptography ./bindings/python
    cargo build --release --manifest-path columns/Cargo.toml
    cargo xtask java --package
    python docs/recipes/dumps_to_parquet.py --columns columns/target/release/cipherlane-columns \\
        --jar target/java/maven/cipherlane-0.1.0.jar

`cargo xtask spark` runs it. The dumps are written with Python's `cryptography` from the rules of the
engines alone: four tables in four dialects, with NULLs, empty texts, Chinese, and Base64 broken into
lines as MySQL breaks it. `doctor` is given all keys and one that is of nothing, and must find dialect,
mode, coding and key of each table; `convert` writes what is AES anyway as Spark's AES-GCM and what must
stay SM4 as SM4-GCM. Both engines then decrypt by SQL, and every cell must be what it was.
"""

from __future__ import annotations

import argparse
import base64
import csv
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
from cipherlane import dialects
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, modes
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.algorithms import SM4 as Sm4
from duckdb_dialects import register
from pyspark.sql import SparkSession

NULL = "\\N"
IV = "sixteen bytes iv"
DORIS_IV = "0123456789"
FAMILY = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗"
GIVEN = "伟芳娜敏静磊洋艳勇杰娟涛明超秀英华文玉兰"
STREETS = ["北京市海淀区中关村大街", "上海市浦东新区世纪大道", "广东省深圳市南山区科技园", "Zürichstraße"]

Cell = str | None


def folded(key: bytes, length: int) -> bytes:
    """The key of MySQL and Doris: its text XORed into so many zeros."""
    made = bytearray(length)
    for place, byte in enumerate(key):
        made[place % length] ^= byte
    return bytes(made)


def run(algorithm: Any, mode: Any, text: str) -> bytes:
    filler = padding.PKCS7(128).padder()
    context = Cipher(algorithm, mode).encryptor()
    return context.update(filler.update(text.encode()) + filler.finalize()) + context.finalize()


def to_base64(value: bytes) -> str:
    """TO_BASE64 of MySQL, which begins a new line after 76 characters; Doris's does not."""
    text = base64.b64encode(value).decode()
    return "\n".join(text[at : at + 76] for at in range(0, len(text), 76))


@dataclass(frozen=True)
class Table:
    name: str
    header: list[str]
    #: Places of the encrypted columns.
    secret: list[int]
    rows: list[list[Cell]]
    #: What the engine makes of a text, by its rules.
    store: Callable[[str], str]
    #: What `doctor` must find: dialect, mode, coding, and which key.
    truth: tuple[str, str, str, str]
    #: The dialect and the key's file that it is converted to.
    to: tuple[str, str]
    #: Whether the dump has a header; `SELECT … INTO OUTFILE` writes none.
    has_header: bool = True
    #: Whether the engine has NULL for the empty text.
    empty_is_null: bool = False

    def names(self) -> list[str]:
        """What the program calls the columns."""
        return self.header if self.has_header else [str(at + 1) for at in range(len(self.header))]

    def write(self, path: Path) -> None:
        """The dump, encrypted."""
        with path.open("w", newline="") as file:
            dump = csv.writer(file, lineterminator="\n")
            if self.has_header:
                dump.writerow(self.header)
            for row in self.rows:
                dump.writerow(self.stored(place, cell) for place, cell in enumerate(row))

    def stored(self, place: int, cell: Cell) -> str:
        if cell is None or place in self.secret and not cell and self.empty_is_null:
            return NULL
        return self.store(cell) if place in self.secret else cell

    def expected(self) -> list[tuple[Cell, ...]]:
        """What must come back: NULL where the engine had made NULL of the empty text."""
        lost = lambda place: place in self.secret and self.empty_is_null  # noqa: E731
        return [
            tuple(None if not cell and lost(place) else cell for place, cell in enumerate(row))
            for row in self.rows
        ]


def name(numbers: random.Random) -> str:
    return numbers.choice(FAMILY) + "".join(numbers.choices(GIVEN, k=numbers.randint(1, 2)))


def tables(rows: int, keys: dict[str, bytes]) -> list[Table]:
    numbers = random.Random(22)
    phones = [f"13{numbers.randrange(10**9):09}" for _ in range(rows)]
    ids = [str(row + 1) for row in range(rows)]

    def some(value: str, null: float = 0.1, empty: float = 0.02) -> Cell:
        drawn = numbers.random()
        return None if drawn < null else "" if drawn < null + empty else value

    def notes() -> str:
        return numbers.choice(["VIP，老客户", 'said "yes", twice', "second line\nbelow", "plain"])

    def address() -> str:
        return numbers.choice(STREETS) + f" {numbers.randrange(1, 2000)} 号"

    mysql = AES(folded(keys["mysql"], 32))
    old_mysql = AES(folded(keys["mysql"], 16))
    doris = Sm4(folded(keys["doris"], 16))
    overlaid = (DORIS_IV + "DORISDORISDORIS_"[len(DORIS_IV) :]).encode()
    aes, sm4 = ("spark-aes", "new-aes"), ("cipherlane-sm4", "new-sm4")
    return [
        Table(
            "customers",
            ["id", "name", "phone", "address", "note"],
            [1, 2, 3],
            [[i, name(numbers), some(p), some(address() * 3), some(notes(), empty=0)] for i, p in zip(ids, phones)],
            lambda text: to_base64(run(mysql, modes.CBC(IV.encode()), text)),
            ("mysql-aes", "aes-256-cbc", "base64", "mysql"),
            aes,
        ),
        Table(
            "orders",
            ["id", "customer", "address"],
            [2],
            [[i, numbers.choice(ids), some(address())] for i in ids],
            lambda text: run(old_mysql, modes.ECB(), text).hex().upper(),
            ("mysql-aes", "aes-128-ecb", "hex", "mysql"),
            aes,
            has_header=False,
        ),
        Table(
            "patients",
            ["id", "name", "diagnosis"],
            [1, 2],
            [[i, name(numbers), some("高血压，" + notes())] for i in ids],
            lambda text: base64.b64encode(run(doris, modes.ECB(), text)).decode(),
            ("doris-sm4", "SM4_128_ECB", "base64", "doris"),
            sm4,
            empty_is_null=True,
        ),
        Table(
            "payments",
            ["id", "phone", "amount"],
            [1, 2],
            [[i, numbers.choice(phones), some(f"{numbers.randrange(10**7) / 100:.2f} 元")] for i in ids],
            lambda text: run(doris, modes.CBC(overlaid), text).hex(),
            ("doris-sm4", "SM4_128_CBC", "hex", "doris"),
            sm4,
            empty_is_null=True,
        ),
    ]


class Columns:
    """The program `cipherlane-columns` in a folder."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program, self.folder = program.resolve(), folder

    def __call__(self, *words: str) -> dict[str, Any]:
        done = subprocess.run([self.program, *words, "--json"], cwd=self.folder, capture_output=True, text=True)
        # `doctor` ends with 1 where something of what it says is not proven.
        right = done.returncode == 0 or words[0] == "doctor" and done.returncode == 1
        assert right, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
        report: dict[str, Any] = json.loads(done.stdout)
        return report


def found(columns: Columns, table: Table, keys: list[str]) -> list[str]:
    """What `doctor` says of the secret columns of a table, as the options of `convert`."""
    ivs = [IV, DORIS_IV]
    asked = ["doctor", f"{table.name}.csv", "--null", NULL, "--key-text", "--column", of(table)]
    asked += [word for key in keys for word in ("--raw-key", key)]
    asked += [word for iv in ivs for word in ("--iv-text", iv)]
    report = columns(*asked, *([] if table.has_header else ["--no-header"]))
    options, classes = set(), []
    for column in report["columns"]:
        best = column["readings"][0]
        # Of short values in CBC alone, such as names, nothing proves the IV: the other columns do.
        assert best["class"] in ("sure", "first-block"), f"{table.name}: {column}"
        dialect, mode, coding, key = table.truth
        told = [it for it in best["variants"] if (it["dialect"], it["mode"]) == (dialect, mode)]
        assert told, f"{table.name}: {best['variants']}"
        assert told[0]["coding"].startswith(coding) and keys[told[0]["key"]] == key, f"{told}"
        iv = [] if told[0]["iv"] is None else ["--from-iv-text", ivs[told[0]["iv"]]]
        coded = ["--from-coding", told[0]["coding"], "--from-raw-key", key, "--from-key-text"]
        classes.append(best["class"])
        options.add(("--from", dialect, "--from-mode", mode, *coded, *iv))
        print(f"{table.name}, {column['name']}: {column['words']}: {dialect} {mode}, {told[0]['coding']}")
    [one] = options
    assert "sure" in classes, f"{table.name}: {classes}"
    return list(one)


def of(table: Table) -> str:
    return ",".join(table.names()[place] for place in table.secret)


def by_cryptography(folder: Path, given: list[Table], keys: dict[str, bytes]) -> None:
    """What stands in the files, opened by the library that wrote the dumps: IV, ciphertext and tag."""
    opened = 0
    for table in given:
        cipher = AES if table.to[0] == "spark-aes" else Sm4
        stored = duckdb.sql(f"select {quoted(table)} from '{folder}/{table.name}.parquet'").fetchall()
        assert len(stored) == len(table.rows)
        for cells, wanted in zip(stored, table.expected()):
            for cell, place in zip(cells, table.secret):
                assert (cell is None) == (wanted[place] is None), f"{table.name}: {wanted}"
                if cell is None:
                    continue
                context = Cipher(cipher(keys[table.to[1]]), modes.GCM(cell[:12], cell[-16:])).decryptor()
                assert context.update(cell[12:-16]) + context.finalize() == wanted[place].encode()
                opened += 1
    print(f"cryptography: {opened} values under an AEAD open and are what they were")


def quoted(table: Table) -> str:
    return ", ".join(f'"{table.names()[place]}"' for place in table.secret)


def by_duckdb(folder: Path, given: list[Table], keys: dict[str, bytes]) -> duckdb.DuckDBPyConnection:
    """Views of the tables, decrypted in SQL by the package for Python."""
    connection = duckdb.connect()
    register(connection, "aes", dialects.find("spark-aes").prepare(keys["new-aes"], text=True))
    register(connection, "sm4", dialects.find("cipherlane-sm4").prepare(keys["new-sm4"], text=True))
    for table in given:
        function = "aes_decrypt" if table.to[0] == "spark-aes" else "sm4_decrypt"
        cells = select(table, '"', lambda it: f"{function}({it})")
        connection.execute(f"create view {table.name} as select {cells} from '{folder}/{table.name}.parquet'")
    return connection


def by_spark(folder: Path, jar: Path, given: list[Table], keys: dict[str, bytes]) -> SparkSession:
    """The same in Spark SQL: by its own `aes_decrypt`, and by the jar's `sm4_decrypt`."""
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    settings = {
        "spark.sql.extensions": "org.cipherlane.spark.CipherlaneExtensions",
        "spark.jars": str(jar.resolve()),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.local.dir": str(folder / "spark"),
        "spark.log.level": "OFF",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    builder = SparkSession.builder.master("local[2]").appName("dumps_to_parquet")
    for setting, value in settings.items():
        builder = builder.config(setting, value)
    spark = builder.getOrCreate()
    # Spark's own function takes the key itself: a query with it stands in logs, so take another way in
    # earnest, such as a variable of the session or the functions of the jar.
    aes = f"unhex('{keys['new-aes'].hex()}')"
    reference = f"'file:{folder / 'new-sm4'}'"
    for table in given:
        decrypt = f"aes_decrypt({{}}, {aes})" if table.to[0] == "spark-aes" else f"sm4_decrypt({{}}, {reference})"
        cells = select(table, "`", lambda it, way=decrypt: f"cast({way.format(it)} as string)")
        spark.read.parquet(str(folder / f"{table.name}.parquet")).createOrReplaceTempView("stored")
        spark.sql(f"select {cells} from stored").createOrReplaceTempView(table.name)
    return spark


def select(table: Table, quote: str, decrypt: Callable[[str], str]) -> str:
    cells = []
    for place, column in enumerate(table.names()):
        cell = f"{quote}{column}{quote}"
        cells.append(f"{decrypt(cell) if place in table.secret else cell} as {table.header[place]}")
    return ", ".join(cells)


def check(engine: str, given: list[Table], ask: Callable[[str], list[Any]]) -> None:
    """Every cell, and a join of two tables that were written by two engines under two ciphers."""
    cells = 0
    for table in given:
        rows = [tuple(row) for row in ask(f"select * from {table.name} order by cast(id as int)")]
        expected = table.expected()
        assert len(rows) == len(expected), f"{engine}, {table.name}: {len(rows)} rows"
        for got, wanted in zip(rows, expected):
            assert got == wanted, f"{engine}, {table.name}: {got} instead of {wanted}"
        cells += len(rows) * len(table.secret)
    [(joined,)] = ask("select count(*) from customers c join payments p on c.phone = p.phone")
    by_name = {table.name: table.expected() for table in given}
    there = [row[2] for row in by_name["customers"] if row[2] is not None]
    paid = [row[1] for row in by_name["payments"]]
    wanted = sum(there.count(phone) for phone in paid)
    assert joined == wanted, f"{engine}: {joined} rows joined instead of {wanted}"
    print(f"{engine}: {cells} decrypted cells are what they were, {joined} rows of two engines joined")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--columns", type=Path, required=True, help="the program cipherlane-columns")
    parser.add_argument("--jar", type=Path, required=True, help="the jar of bindings/java")
    parser.add_argument("--rows", type=int, default=3000, help="of each table")
    arguments = parser.parse_args()
    keys = {
        "wrong": b"of nothing here",
        "mysql": b"a key of MySQL, of any length",
        "doris": "多瑞斯的密钥".encode(),
        "new-aes": secrets.token_bytes(32),
        "new-sm4": secrets.token_bytes(16),
    }
    with tempfile.TemporaryDirectory(prefix="cipherlane-") as folder_name:
        folder = Path(folder_name)
        for key, value in keys.items():
            place = folder / key
            place.touch(mode=0o600)
            place.write_bytes(value.hex().encode() if key.startswith("new") else value)
        columns = Columns(arguments.columns, folder)
        given = tables(arguments.rows, keys)
        for table in given:
            table.write(folder / f"{table.name}.csv")
            options = found(columns, table, ["wrong", "mysql", "doris"])
            dialect, key = table.to
            made = columns(
                *("convert", f"{table.name}.csv", "-o", f"{table.name}.parquet", "--null", NULL),
                *("--column", of(table), *options, "--to", dialect, "--to-raw-key", key),
                *([] if table.has_header else ["--no-header"]),
            )
            assert made["rows_written"] == len(table.rows), f"{made}"
            assert not any(column["bad"] for column in made["columns"]), f"{made}"
            # Nothing of the plaintexts is in the file, compressed or not.
            texts = {row[place] for row in table.rows for place in table.secret}
            data = (folder / f"{table.name}.parquet").read_bytes()
            assert not any(text.encode() in data for text in texts if text and len(text) > 8)
        by_cryptography(folder, given, keys)
        connection = by_duckdb(folder, given, keys)
        check(f"DuckDB {duckdb.__version__}", given, lambda sql: connection.sql(sql).fetchall())
        spark = by_spark(folder, arguments.jar, given, keys)
        try:
            check(f"Spark {spark.version}", given, lambda sql: spark.sql(sql).collect())
        finally:
            spark.stop()


if __name__ == "__main__":
    main()
