"""Encrypts a column of a Parquet data set on a local cluster of Spark and reads it back.

    python bindings/python/examples/spark_column.py
    python bindings/python/examples/spark_column.py --rows 200000 --cores 1

Beside it the same by Bouncy Castle as a Java function and by gmssl, which is pure Python, each
where its parts are there. All rates are of whole jobs, from Parquet through the function into
nothing, by row and core.
"""

from __future__ import annotations

import argparse
import glob
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow
import pyspark
from cipherlane.spark import sm4_decrypt, sm4_encrypt
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

HERE = Path(__file__).resolve().parent
BYTES = 64
#: Rows for what takes milliseconds a value.
FEW = 2000


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--passes", type=int, default=3, help="the fastest counts")
    parser.add_argument("--bouncycastle", type=Path, default=found_bouncycastle())
    parser.add_argument("--jar", type=Path, help="the jar of bindings/java, measured too")
    return parser.parse_args()


def found_bouncycastle() -> Path | None:
    """Where `cipherlane engines build bouncycastle` puts it."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    found = sorted(glob.glob(f"{cache}/cipherlane/bouncycastle-*/bcprov.jar"))
    return Path(found[-1]) if found else None


def skip(what: str, remedy: str) -> None:
    print(f"SKIP: {what} ({remedy})")


def peer(folder: Path, bouncycastle: Path | None) -> list[Path]:
    """The jars with Bouncy Castle's function; none if something is missing."""
    if bouncycastle is None or not bouncycastle.is_file():
        skip("Bouncy Castle", "cipherlane engines build bouncycastle")
        return []
    if shutil.which("javac") is None or shutil.which("jar") is None:
        skip("Bouncy Castle", "apt-get install openjdk-17-jdk-headless")
        return []
    jars = Path(pyspark.__file__).parent / "jars"
    path = os.pathsep.join(map(str, [bouncycastle, *jars.glob("spark-sql-api*.jar")]))
    classes, made = folder / "classes", folder / "peer.jar"
    source = HERE / "BouncyCastleUdf.java"
    subprocess.run(["javac", "-nowarn", "-d", classes, "-cp", path, source], check=True)
    subprocess.run(["jar", "cf", made, "-C", classes, "."], check=True)
    return [made, bouncycastle]


def session(cores: int, folder: Path, jars: list[Path]) -> SparkSession:
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["SPARK_LOCAL_DIRS"] = str(folder / "spark")
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{cores}]").appName("spark_column")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.log.level": "ERROR",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.jars": ",".join(map(str, jars)),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def into_nothing(frame: DataFrame) -> float:
    """Seconds that a job takes whose rows are thrown away."""
    begin = time.perf_counter()
    frame.write.format("noop").mode("overwrite").save()
    return time.perf_counter() - begin


class Table:
    """Rates, one line each as it comes."""

    def __init__(self, cores: int, passes: int) -> None:
        self.cores, self.passes = cores, passes
        self.seconds: dict[str, float] = {}
        print(f"\n{'function':<42} {'rows/s per core':>16} {'ns per row':>11}")

    def line(self, name: str, frame: DataFrame, rows: int, passes: int | None = None) -> None:
        times = [into_nothing(frame) for _ in range(passes or self.passes)]
        each = min(times) * self.cores / rows
        self.seconds[name] = each
        print(f"{name:<42} {1 / each:>16,.0f} {each * 1e9:>11,.0f}", flush=True)


def by_gmssl(key: bytes) -> Callable[[str], Column] | None:
    try:
        from gmssl.sm4 import SM4_ENCRYPT, CryptSM4
    except ImportError:
        skip("gmssl", "pip install gmssl")
        return None

    # Without types: Spark would take them for those of another sort of function.
    def encrypt(value):  # type: ignore[no-untyped-def]
        cipher = CryptSM4()
        cipher.set_key(key, SM4_ENCRYPT)
        iv = os.urandom(16)
        return iv + bytes(cipher.crypt_cbc(iv, bytes(value)))

    return F.udf(encrypt, "binary")


def nothing(values: pyarrow.Array) -> pyarrow.Array:
    """What it costs to bring a column to Python and back."""
    return values


def main() -> None:
    given = arguments()
    with tempfile.TemporaryDirectory(prefix="cipherlane-") as name:
        folder = Path(name)
        key = secrets.token_bytes(16)
        (folder / "key").touch(mode=0o600)
        (folder / "key").write_text(key.hex())
        peers = peer(folder, given.bouncycastle)
        ours = [given.jar.resolve()] if given.jar else []
        spark = session(given.cores, folder, [*peers, *ours])
        try:
            run(spark, given, folder, f"file:{folder / 'key'}", key, bool(peers), bool(ours))
        finally:
            spark.stop()


def run(
    spark: SparkSession,
    given: argparse.Namespace,
    folder: Path,
    reference: str,
    key: bytes,
    peers: bool,
    ours: bool,
) -> None:
    rows, cores = given.rows, given.cores
    print(f"Spark {spark.version}, local[{cores}]: {rows:,} rows of {BYTES} bytes")
    parts = max(4, rows // 1_000_000) * cores
    plain = str(folder / "plain.parquet")
    value = F.sha2(F.col("id").cast("string"), 256).cast("binary").alias("value")
    spark.range(0, rows, numPartitions=parts).select("id", value).write.parquet(plain)

    # The work itself: a column goes encrypted into Parquet, and comes back.
    sealed = str(folder / "sealed.parquet")
    begin = time.perf_counter()
    frame = spark.read.parquet(plain)
    frame.select("id", sm4_encrypt("value", reference).alias("sealed")).write.parquet(sealed)
    took = time.perf_counter() - begin
    print(f"encrypted into Parquet in {took:.1f} s: {rows / took:,.0f} rows/s on {cores} cores")
    begin = time.perf_counter()
    back = spark.read.parquet(sealed).select(
        "id", sm4_decrypt("sealed", reference).alias("value"), F.length("sealed").alias("long")
    )
    expected = F.sha2(F.col("id").cast("string"), 256).cast("binary")
    right = back.where((F.col("value") == expected) & (F.col("long") == 12 + BYTES + 16))
    assert right.count() == rows, "what came back differs"
    took = time.perf_counter() - begin
    print(f"read back and compared in {took:.1f} s: all {rows:,} rows are right")

    if peers:
        for direction in ("Encrypt", "Decrypt"):
            name = f"bc_{direction.lower()}"
            spark.udf.registerJavaFunction(name, f"BouncyCastleUdf${direction}", "binary")
        opened = F.expr(f"bc_decrypt(sealed, '{reference}')")
        some = spark.read.parquet(sealed).limit(FEW).select("id", opened.alias("value"))
        assert some.where(F.col("value") == expected).count() == FEW, "Bouncy Castle reads it"
        print(f"Bouncy Castle opens {FEW} of them and finds the same")

    table = Table(cores, given.passes)
    column = spark.read.parquet(plain).select("value")
    table.line("none: from Parquet into nothing", column, rows)
    if hasattr(F, "arrow_udf"):
        nothing.__annotations__ = {"values": pyarrow.Array, "return": pyarrow.Array}
        moved = F.arrow_udf(nothing, "binary")
        table.line("none: to Python by Arrow and back", column.select(moved("value")), rows)
    table.line("cipherlane.spark, SM4-GCM", column.select(sm4_encrypt("value", reference)), rows)
    if ours:
        encrypt = "org.cipherlane.spark.Sm4Encrypt"
        spark.udf.registerJavaFunction("ours_encrypt", encrypt, "binary")
        made = column.select(F.expr(f"ours_encrypt(value, '{reference}')"))
        table.line("cipherlane in Java, SM4-GCM", made, rows)
    if peers:
        made = column.select(F.expr(f"bc_encrypt(value, '{reference}')"))
        table.line("Bouncy Castle, SM4-GCM", made, rows)
    pure = by_gmssl(key)
    if pure is not None:
        few = spark.read.parquet(plain).select("value").limit(FEW).repartition(cores).cache()
        few.count()
        name = f"gmssl, pure Python, SM4-CBC, on {FEW:,} rows"
        table.line(name, few.select(pure("value")), FEW, 1)
    report(table.seconds)


def report(seconds: dict[str, float]) -> None:
    own = seconds["cipherlane.spark, SM4-GCM"]
    scan = seconds["none: from Parquet into nothing"]
    moved = seconds.get("none: to Python by Arrow and back")
    print()
    if moved is not None:
        parts = [("Spark's reading", scan), ("to Python and back", moved - scan)]
        parts.append(("IV, cipher, tag and a longer value", own - moved))
        # A difference of two measurements: where it is not above zero, this run can't tell it.
        words = (f"{each * 1e9:,.0f}" if each > 0 else "too little to tell" for _, each in parts)
        told = "; ".join(f"{name} {each}" for (name, _), each in zip(parts, words))
        print(f"of cipherlane.spark's {own * 1e9:,.0f} ns per row: {told}")
    for name, each in seconds.items():
        if not name.startswith(("none", "cipherlane.spark")):
            print(f"cipherlane.spark is {each / own:,.1f} times as fast as {name.split(',')[0]}")


if __name__ == "__main__":
    main()
