"""Values that MySQL encrypted, read, checked and written anew in DuckDB, by SQL.

    pip install duckdb pyarrow cryptography ./bindings/python
    python docs/recipes/duckdb_dialects.py

The functions work on whole vectors of DuckDB as arrays of Arrow. A key is never an argument of SQL,
for queries stand in logs: a codec holds it, and the function has the codec's name.
"""

from __future__ import annotations

import base64
import csv
import tempfile
from pathlib import Path
from typing import Any

import duckdb
from cipherlane import dialects
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

ROWS = 20_000


def register(connection: duckdb.DuckDBPyConnection, name: str, codec: dialects.Codec) -> None:
    """Gives SQL the functions NAME_encrypt, NAME_decrypt and NAME_try_decrypt of a codec.

    The second ends the query at a value that can't be read, the third gives NULL for it. NULL
    stays NULL.
    """
    stored = "BLOB" if codec.coding == "raw" else "VARCHAR"
    plain = "VARCHAR" if codec.text else "BLOB"
    draws = any(mode.draws for mode in codec.dialect.modes if mode.name == codec.mode)

    def encrypt(values: Any) -> Any:
        return codec.encrypt(values)

    def decrypt(values: Any) -> Any:
        return codec.decrypt(values)

    def try_decrypt(values: Any) -> Any:
        return codec.decrypt(values, errors="null")

    for function, takes, gives, effects in [
        (encrypt, plain, stored, draws),
        (decrypt, stored, plain, False),
        (try_decrypt, stored, plain, False),
    ]:
        connection.create_function(
            f"{name}_{function.__name__}",
            function,
            [takes],
            gives,
            type="arrow",
            null_handling="special",
            # Values whose IV is drawn are not the same in each row of a constant.
            side_effects=effects,
        )


def mysql(text: bytes, key: bytes, iv: bytes) -> bytes:
    """AES_ENCRYPT of MySQL with block_encryption_mode aes-256-cbc, by somebody else's library."""
    folded = bytearray(32)
    for place, byte in enumerate(key):
        folded[place % 32] ^= byte
    filler = padding.PKCS7(128).padder()
    encryptor = Cipher(algorithms.AES(bytes(folded)), modes.CBC(iv)).encryptor()
    return encryptor.update(filler.update(text) + filler.finalize()) + encryptor.finalize()


def write(path: Path, key: bytes, iv: bytes) -> None:
    """The table as a dump of MySQL has it: Base64 in a CSV file, and one row cut off."""
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "name", "secret"])
        for row in range(ROWS):
            name = f"name {row}"
            secret = base64.b64encode(mysql(name.encode(), key, iv)).decode()
            if row % 1000 == 7:
                secret = ""
            rows.writerow([row, name, secret[:8] if row == 4321 else secret])


def main() -> None:
    key, iv = b"a key of MySQL, of any length", b"sixteen bytes iv"
    old = dialects.find("mysql-aes").prepare(
        key, mode="aes-256-cbc", iv=iv, coding="base64", text=True, weak=True
    )
    # The same data where nothing is lacking: AES-GCM as Spark has it.
    new = dialects.find("spark-aes").prepare("0000111122223333", text=True)
    connection = duckdb.connect()
    register(connection, "mysql", old)
    register(connection, "sealed", new)
    with tempfile.TemporaryDirectory() as folder:
        dump, parquet = Path(folder, "dump.csv"), Path(folder, "sealed.parquet")
        write(dump, key, iv)
        connection.execute(
            "create table people as select id, name, secret from "
            "read_csv(?, header = true, nullstr = '')",
            [str(dump)],
        )
        bad = connection.sql(
            "select id from people where secret is not null and mysql_try_decrypt(secret) is null"
        ).fetchall()
        connection.execute(
            "create table sealed as select id, name, "
            "sealed_encrypt(mysql_try_decrypt(secret)) as secret from people"
        )
        connection.table("sealed").write_parquet(str(parquet))
        right, nulls, distinct = connection.sql(
            "select count(*) filter (sealed_decrypt(secret) = name), count(*) filter (secret is null), "
            f"count(distinct secret[1:12]) from '{parquet}'"
        ).fetchall()[0]
    print(f"{ROWS} rows of MySQL, {nulls - len(bad)} of them NULL; bad rows: {[row for row, in bad]}")
    print(f"{right} of {ROWS - nulls} sealed values opened by SQL are right, {distinct} nonces differ")
    assert (right, nulls, distinct) == (ROWS - 21, 21, ROWS - 21)
    assert bad == [(4321,)]


if __name__ == "__main__":
    main()
