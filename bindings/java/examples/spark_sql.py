"""Functions of Spark SQL by the jar's extension: checked against other implementations, then timed.

    cargo xtask spark
    python bindings/java/examples/spark_sql.py --jar target/java/maven/cipherlane-0.1.0.jar

It reads a column of values of 64 bytes from Parquet, encrypts and decrypts it by `sm4_encrypt`, by
Spark's own `aes_encrypt` and by a function of Bouncy Castle's, and reads values of other engines.
"""

from __future__ import annotations

import argparse
import base64
import os
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyspark
from cryptography.hazmat.primitives.ciphers import Cipher, modes
from cryptography.hazmat.primitives.ciphers.algorithms import SM4 as Sm4
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

HERE = Path(__file__).resolve().parent
UDF = HERE.parents[1] / "python" / "examples" / "BouncyCastleUdf.java"
BYTES = 64
DORIS = b"F3229A0B371ED2D9441B830D21A390C3"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--jar", type=Path, required=True, help="the jar of bindings/java")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--passes", type=int, default=3, help="the fastest counts")
    parser.add_argument("--bouncycastle", type=Path, help="bcprov.jar, measured too")
    return parser.parse_args()


def peer(folder: Path, bouncycastle: Path | None) -> list[Path]:
    """The jars with Bouncy Castle's function."""
    if bouncycastle is None:
        return []
    jars = Path(pyspark.__file__).parent / "jars"
    path = os.pathsep.join(map(str, [bouncycastle, *jars.glob("spark-sql-api*.jar")]))
    classes, made = folder / "classes", folder / "peer.jar"
    subprocess.run(["javac", "-nowarn", "-d", classes, "-cp", path, UDF], check=True)
    subprocess.run(["jar", "cf", made, "-C", classes, "."], check=True)
    return [made, bouncycastle]


def session(cores: int, folder: Path, jars: list[Path]) -> SparkSession:
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["SPARK_LOCAL_DIRS"] = str(folder / "spark")
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    settings = {
        "spark.sql.extensions": "org.cipherlane.spark.CipherlaneExtensions",
        "spark.jars": ",".join(map(str, jars)),
        # Of Hive only what calls its functions.
        "spark.sql.catalogImplementation": "hive",
        "spark.hadoop.javax.jdo.option.ConnectionURL": "jdbc:derby:memory:cipherlane;create=true",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.log.level": "OFF",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    builder = SparkSession.builder.master(f"local[{cores}]").appName("spark_sql")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def written(folder: Path, name: str, text: str) -> str:
    """A reference to a key in a file of its own."""
    path = folder / name
    path.touch(mode=0o600)
    path.write_text(text + "\n")
    return f"file:{path}"


def pkcs7(value: bytes) -> bytes:
    count = 16 - len(value) % 16
    return value + bytes([count]) * count


class Checks:
    """What must hold; a line each."""

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        self.passed = 0

    def one(self, expression: str) -> bytes | None:
        row = self.spark.sql(f"SELECT {expression}").first()
        assert row is not None
        return None if row[0] is None else bytes(row[0])

    def same(self, what: str, got: object, expected: object) -> None:
        assert got == expected, f"{what}: {got!r} instead of {expected!r}"
        self.passed += 1

    def refused(self, what: str, expression: str, word: str) -> None:
        try:
            self.one(expression)
        except PySparkException as error:
            assert word in str(error), f"{what}: {error}"
        except Exception as error:  # noqa: BLE001  # the gateway's own class
            assert word in str(error), f"{what}: {error}"
        else:
            raise AssertionError(f"{what}: accepted")
        self.passed += 1


def check_sm4(checks: Checks, key: bytes, reference: str) -> None:
    """Against SM4 of Python's `cryptography`, both ways."""
    value, aad = secrets.token_bytes(100), b"row 7"
    text = f"X'{value.hex()}'"
    for mode, iv_bytes in [("GCM", 12), ("CBC", 16), ("ECB", 0)]:
        iv = secrets.token_bytes(iv_bytes)
        how = {"GCM": modes.GCM(iv or b"\0" * 12), "CBC": modes.CBC(iv or b"\0" * 16)}
        made = Cipher(Sm4(key), how.get(mode, modes.ECB())).encryptor()
        sealed = made.update(value if mode == "GCM" else pkcs7(value)) + made.finalize()
        sealed = iv + sealed + (made.tag if mode == "GCM" else b"")
        opened = checks.one(f"sm4_decrypt(X'{sealed.hex()}', '{reference}', '{mode}')")
        checks.same(f"{mode} of another library is read", opened, value)
        given = f", 'DEFAULT', X'{iv.hex()}'" if iv else ""
        ours = checks.one(f"sm4_encrypt({text}, '{reference}', '{mode}'{given})")
        checks.same(f"{mode} is written as by another library", ours, sealed)
        drawn = checks.one(f"sm4_encrypt({text}, '{reference}', '{mode}')") or b""
        back = checks.one(f"sm4_decrypt(X'{drawn.hex()}', '{reference}', '{mode}')")
        checks.same(f"{mode} comes back", back, value)
    iv = secrets.token_bytes(12)
    made = Cipher(Sm4(key), modes.GCM(iv)).encryptor()
    made.authenticate_additional_data(aad)
    sealed = iv + made.update(value) + made.finalize() + made.tag
    tail = f"'{reference}', 'GCM', 'NONE'"
    arguments = f"X'{sealed.hex()}', {tail}"
    checks.same("AAD", checks.one(f"sm4_decrypt({arguments}, '{aad.decode()}')"), value)
    checks.refused("other AAD", f"sm4_decrypt({arguments}, 'row 8')", "")
    checks.same("try, other AAD", checks.one(f"try_sm4_decrypt({arguments}, 'row 8')"), None)
    checks.same("NULL", checks.one(f"sm4_encrypt(NULL, '{reference}')"), None)
    checks.refused("a key as itself", f"sm4_encrypt({text}, '{key.hex()}')", "never as itself")
    checks.refused("a mode", f"sm4_encrypt({text}, '{reference}', 'CTR')", "GCM, CBC, ECB")
    checks.refused("a padding", f"sm4_encrypt({text}, '{reference}', 'GCM', 'PKCS')", "NONE")
    checks.refused("arguments", f"sm4_encrypt({text})", "2 to 6")


def check_dialects(checks: Checks, folder: Path) -> None:
    doris = written(folder, "doris", DORIS.decode())
    gauss = written(folder, "gauss", "Asdf1234")
    # Printed in the manuals of the engines.
    stored = "unbase64('1Y4NGIukSbv9OrkZnRD1bQ==')"
    options = "mode=SM4_128_CBC;iv=0123456789"
    plain = checks.one(f"dialect_decrypt('doris-sm4', {stored}, '{doris}', '{options}')")
    checks.same("a value of Doris's manual", plain, b"text")
    value = "'ZBzOmaGA4Bb+coyucJ0B8AkIShqc'"
    plain = checks.one(f"dialect_decrypt('opengauss-sm4', {value}, '{gauss}')")
    checks.same("a value of openGauss's manual", plain, b"MPPDB")
    weak = f"{options};coding=base64;weak=true"
    ours = checks.one(f"dialect_encrypt('doris-sm4', 'text', '{doris}', '{weak}')")
    checks.same("a value for Doris", ours, b"1Y4NGIukSbv9OrkZnRD1bQ==")
    folded = bytearray(16)
    for place, byte in enumerate(DORIS):
        folded[place % 16] ^= byte
    made = Cipher(Sm4(bytes(folded)), modes.ECB()).encryptor()
    ecb = made.update(pkcs7(b"another text")) + made.finalize()
    plain = checks.one(f"dialect_decrypt('doris-sm4', X'{ecb.hex()}', '{doris}')")
    checks.same("a value of another library", plain, b"another text")
    # What sm4_encrypt writes is a dialect, too.
    sm4 = f"file:{folder / 'key'}"
    aad = "aad=row 7"
    stored = f"dialect_encrypt('cipherlane-sm4', 'text', '{sm4}', '{aad}')"
    plain = checks.one(f"sm4_decrypt({stored}, '{sm4}', 'GCM', 'NONE', 'row 7')")
    checks.same("the dialect in sm4_decrypt", plain, b"text")
    stored = f"sm4_encrypt('text', '{sm4}', 'CBC')"
    plain = checks.one(f"dialect_decrypt('cipherlane-sm4', {stored}, '{sm4}', 'mode=CBC')")
    checks.same("sm4_encrypt in the dialect", plain, b"text")
    bad = f"dialect_decrypt('doris-sm4', X'{ecb[:-1].hex()}', '{doris}')"
    checks.refused("a value that is cut off", bad, "stored value of doris-sm4 has 15 bytes")
    checks.same("try", checks.one(f"try_{bad}"), None)
    checks.refused("no leave", f"dialect_encrypt('doris-sm4', 'a', '{doris}')", "weak(true)")
    checks.refused("no dialect", f"dialect_decrypt('doris', 'a', '{doris}')", "doris-sm4")
    checks.refused("no option", f"dialect_decrypt('doris-sm4', 'a', '{doris}', 'x=1')", "option 1")


def check_hive(checks: Checks, folder: Path, reference: str) -> None:
    """The functions for Hive, which Spark calls by Hive's own classes."""
    for name in ("Sm4Encrypt", "Sm4Decrypt", "DialectEncrypt", "DialectDecrypt"):
        checks.spark.sql(f"CREATE TEMPORARY FUNCTION hive_{name} AS 'org.cipherlane.hive.{name}'")
    sealed = f"hive_Sm4Encrypt('text', '{reference}')"
    plain = checks.one(f"sm4_decrypt({sealed}, '{reference}')")
    checks.same("a value of Hive's function", plain, b"text")
    plain = checks.one(f"hive_Sm4Decrypt(sm4_encrypt('text', '{reference}', 'CBC'), '{reference}', 'CBC')")
    checks.same("a value for Hive's function", plain, b"text")
    doris = f"'file:{folder / 'doris'}', 'mode=SM4_128_CBC;iv=0123456789"
    plain = checks.one(f"hive_DialectDecrypt('doris-sm4', unbase64('1Y4NGIukSbv9OrkZnRD1bQ=='), {doris}')")
    checks.same("a dialect in Hive's function", plain, b"text")
    stored = checks.one(f"hive_DialectEncrypt('doris-sm4', 'text', {doris};coding=base64;weak=true')")
    checks.same("a dialect by Hive's function", stored, b"1Y4NGIukSbv9OrkZnRD1bQ==")


def into_nothing(frame: DataFrame) -> float:
    """Seconds that a job takes whose rows are thrown away."""
    begin = time.perf_counter()
    frame.write.format("noop").mode("overwrite").save()
    return time.perf_counter() - begin


def timed(spark: SparkSession, given: argparse.Namespace, folder: Path, reference: str) -> None:
    data = str(folder / "data")
    random = F.unhex(F.substring(F.sha2(F.col("id").cast("string"), 512), 1, 2 * BYTES))
    spark.range(given.rows).select(random.alias("value")).write.parquet(data)
    spark.read.parquet(data).createOrReplaceTempView("plain")
    aes = "unhex('000102030405060708090a0b0c0d0e0f')"
    doris = f"'file:{folder / 'doris'}'"
    ways = {
        "nothing": ("value", "value"),
        "aes_encrypt of Spark, AES-128-GCM": (f"aes_encrypt(value, {aes})", f"aes_decrypt(it, {aes})"),
        "sm4_encrypt, SM4-GCM": (f"sm4_encrypt(value, '{reference}')", f"sm4_decrypt(it, '{reference}')"),
        "dialect_encrypt, doris-sm4 in CBC": (
            f"dialect_encrypt('doris-sm4', value, {doris}, 'mode=SM4_128_CBC;weak=true')",
            f"dialect_decrypt('doris-sm4', it, {doris}, 'mode=SM4_128_CBC')",
        ),
    }
    if given.bouncycastle:
        spark.udf.registerJavaFunction("bc_encrypt", "BouncyCastleUdf$Encrypt", "binary")
        spark.udf.registerJavaFunction("bc_decrypt", "BouncyCastleUdf$Decrypt", "binary")
        ways["Bouncy Castle, SM4-GCM"] = (
            f"bc_encrypt(value, '{reference}')",
            f"bc_decrypt(it, '{reference}')",
        )
    print(f"\n{given.rows:,} rows of {BYTES} bytes, {given.cores} cores, fastest of {given.passes}")
    print(f"{'function':<36} {'encrypt, rows/s':>16} {'decrypt, rows/s':>16}")
    for number, (name, (there, back)) in enumerate(ways.items()):
        sealed = str(folder / f"sealed-{number}")
        spark.sql(f"SELECT {there} AS it FROM plain").write.parquet(sealed)
        spark.read.parquet(sealed).createOrReplaceTempView("sealed")
        if back != "value":
            wrong = spark.sql(
                f"SELECT count(*) FROM (SELECT {back} AS it FROM sealed) a "
                "LEFT ANTI JOIN plain ON a.it = plain.value"
            ).first()
            assert wrong is not None and wrong[0] == 0, f"{name}: {wrong} values did not come back"
        else:
            back = "it"
        rates = []
        for query in (f"SELECT {there} FROM plain", f"SELECT {back} FROM sealed"):
            seconds = min(into_nothing(spark.sql(query)) for _ in range(given.passes))
            rates.append(given.rows / seconds)
        print(f"{name:<36} {rates[0]:>16,.0f} {rates[1]:>16,.0f}", flush=True)


def main() -> None:
    given = arguments()
    with tempfile.TemporaryDirectory(prefix="cipherlane-") as name:
        folder = Path(name)
        key = secrets.token_bytes(16)
        reference = written(folder, "key", key.hex())
        spark = session(given.cores, folder, [given.jar.resolve(), *peer(folder, given.bouncycastle)])
        try:
            checks = Checks(spark)
            check_sm4(checks, key, reference)
            check_dialects(checks, folder)
            check_hive(checks, folder, reference)
            if given.rows:
                timed(spark, given, folder, reference)
            print(f"\nSpark {spark.version}: {checks.passed} checks hold")
        finally:
            spark.stop()


if __name__ == "__main__":
    main()
