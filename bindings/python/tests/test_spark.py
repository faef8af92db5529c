"""Functions on columns of Spark; skipped where PySpark or Java is missing."""

import contextlib
import io
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cipherlane import arrow

from elsewhere import opened_elsewhere, sealed_elsewhere

pytest.importorskip("pyspark", reason="SKIP: Spark (pip install pyspark)")
if shutil.which("java") is None:
    pytest.skip("SKIP: Spark (apt-get install openjdk-17-jdk-headless)", allow_module_level=True)

from cipherlane import spark as functions
from cipherlane.spark import register, sm4_decrypt, sm4_encrypt, try_sm4_decrypt
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

KEY = bytes.fromhex("8f1c3a5577d9e2b4460ca1f39d2e7b58")
SECRET = "spark.cipherlane.secret.column"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="module")
def spark(folder: Path) -> Iterator[SparkSession]:
    # The workers are this Python, which has the package.
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    (folder / "events").mkdir()
    (folder / "key").write_text(KEY.hex() + "\n")
    builder = SparkSession.builder.master("local[2]").appName("cipherlane")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": (folder / "events").as_uri(),
        "spark.sql.execution.arrow.maxRecordsPerBatch": "64",
        SECRET: KEY.hex(),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def values(spark: SparkSession) -> DataFrame:
    """Every length from 0 to 100, nulls among them."""
    rows = [(place, bytes([place]) * place, "é" * (place // 2)) for place in range(101)]
    rows += [(place, None, None) for place in range(101, 120)]
    return spark.createDataFrame(rows, "id int, value binary, text string").repartition(3)


def reference(folder: Path) -> str:
    return f"file:{folder / 'key'}"


@pytest.mark.parametrize("mode", ["GCM", "CBC", "ECB"])
def test_round_trip_and_values_that_others_read(
    spark: SparkSession, folder: Path, mode: str
) -> None:
    key = reference(folder)
    sealed = values(spark).withColumn("sealed", sm4_encrypt("value", key, mode))
    sealed = sealed.withColumn("sealed_text", sm4_encrypt(F.col("text"), key, mode))
    opened = sealed.withColumn("opened", sm4_decrypt("sealed", key, mode))
    opened = opened.withColumn("tried", try_sm4_decrypt("sealed_text", key, mode).cast("string"))
    rows = opened.collect()
    assert len(rows) == 120
    other = []
    for row in rows:
        assert row.opened == row.value
        assert row.tried == row.text
        if row.value is None:
            assert row.sealed is None
            other.append((row.id, None))
        else:
            plain = opened_elsewhere(bytes(row.sealed), mode, "PKCS", b"", KEY)
            assert plain == row.value
            other.append((row.id, sealed_elsewhere(plain, mode, "PKCS", b"", KEY)))
    frame = spark.createDataFrame(other, "id int, sealed binary")
    back = frame.select("id", sm4_decrypt("sealed", key, mode).alias("opened")).collect()
    assert {row.id: row.opened for row in back} == {row.id: row.value for row in rows}


def test_aad_and_ivs(spark: SparkSession, folder: Path) -> None:
    key = reference(folder)
    frame = values(spark).where("value is not null")
    frame = frame.withColumn("place", F.col("id").cast("string"))
    iv = F.unhex(F.lpad(F.hex("id"), 24, "0"))
    frame = frame.withColumn("sealed", sm4_encrypt("value", key, iv=iv, aad="place"))
    for row in frame.collect():
        assert bytes(row.sealed)[:12] == row.id.to_bytes(12, "big")
    opened = frame.withColumn("opened", sm4_decrypt("sealed", key, aad="place"))
    assert opened.where("opened != value or opened is null").count() == 0
    other = frame.withColumn("opened", try_sm4_decrypt("sealed", key, aad=b"other"))
    assert other.where("opened is not null").count() == 0


def test_changed_values(spark: SparkSession, folder: Path) -> None:
    key = reference(folder)
    good = [bytes(value) for value in arrow.encrypt(_column(10), KEY).to_pylist()]
    changed = bytearray(good[4])
    changed[20] ^= 1
    column = [*good[:4], bytes(changed), *good[5:], b"", b"short"]
    frame = spark.createDataFrame([(value,) for value in column], "sealed binary")
    tried = [row[0] for row in frame.select(try_sm4_decrypt("sealed", key)).collect()]
    assert [place for place, value in enumerate(tried) if value is None] == [4, 10, 11]
    with pytest.raises(PySparkException, match="do not open"):
        frame.select(sm4_decrypt("sealed", key)).collect()


def _column(count: int) -> object:
    import pyarrow

    return pyarrow.array([b"value %d" % place for place in range(count)])


def test_sql(spark: SparkSession, folder: Path) -> None:
    register(spark)
    values(spark).createOrReplaceTempView("t")
    file = reference(folder)
    for key in (file, f"option:{SECRET}"):
        for more in ("", ", 'CBC'", ", 'ECB', 'PKCS'", ", 'GCM', 'DEFAULT'"):
            query = (
                f"select value, sm4_decrypt(sm4_encrypt(value, '{key}'{more}), '{key}'{more}) "
                "as opened from t"
            )
            rows = spark.sql(query).collect()
            assert len(rows) == 120
            assert all(row.value == row.opened for row in rows)
    query = (
        f"select value, sm4_decrypt(sm4_encrypt(value, '{file}', 'GCM', 'DEFAULT', '', text), "
        f"'{file}', 'GCM', 'DEFAULT', text) as opened from t where value is not null"
    )
    assert all(row.value == row.opened for row in spark.sql(query).collect())
    query = f"select try_sm4_decrypt(unhex('00'), '{file}') as it from t limit 3"
    assert [row.it for row in spark.sql(query).collect()] == [None] * 3


def test_options_and_variables(
    spark: SparkSession, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = values(spark)
    sealed = frame.withColumn("sealed", sm4_encrypt("value", f"option:{SECRET}"))
    opened = sealed.withColumn("opened", sm4_decrypt("sealed", reference(folder)))
    assert all(row.value == row.opened for row in opened.collect())
    with pytest.raises(PySparkException, match="is not set where"):
        frame.select(sm4_encrypt("value", "env:CIPHERLANE_NO_SUCH")).collect()
    with pytest.raises(KeyError, match="is not set"):
        sm4_encrypt("value", "option:spark.no.secret")
    for wrong in (KEY.hex(), "", "env:", "http:x", "option:spark.shown"):
        with pytest.raises(ValueError, match="allowed|never as itself") as raised:
            sm4_encrypt("value", wrong)
        assert KEY.hex() not in str(raised.value)
    with pytest.raises(ValueError, match="CTR"):
        sm4_encrypt("value", reference(folder), "CTR")


def test_on_pandas(
    spark: SparkSession, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What PySpark before 4.1 does."""
    monkeypatch.delattr(functions.F, "arrow_udf", raising=False)
    key = reference(folder)
    sealed = values(spark).withColumn("sealed", sm4_encrypt("value", key, aad="text"))
    sealed = sealed.where("value is not null")
    opened = sealed.withColumn("opened", sm4_decrypt("sealed", key, aad="text"))
    rows = opened.collect()
    assert len(rows) == 101
    assert all(row.value == row.opened for row in rows)
    nulls = values(spark).where("value is null").select(sm4_encrypt("value", key).alias("it"))
    assert all(row.it is None for row in nulls.collect())


def test_the_key_stands_nowhere(spark: SparkSession, folder: Path) -> None:
    """Neither in plans nor in the log of events, which has all plans and options."""
    frame = values(spark)
    said = io.StringIO()
    register(spark)
    frame.createOrReplaceTempView("t")
    for key in (reference(folder), f"option:{SECRET}"):
        column = frame.select(sm4_encrypt("value", key).alias("it"))
        query = spark.sql(f"select sm4_encrypt(value, '{key}') as it from t")
        with contextlib.redirect_stdout(said):
            for plan in (column, query):
                plan.explain(True)
                plan.explain("formatted")
                assert plan.count() == 120
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    logs = [file for file in (folder / "events").rglob("*") if file.is_file()]
    text = said.getvalue() + "".join(file.read_text(errors="replace") for file in logs)
    assert "sm4_encrypt" in text and SECRET in text and str(folder / "key") in text
    for form in (KEY.hex(), KEY.hex().upper(), KEY.decode("latin-1"), repr(KEY), str(list(KEY))):
        assert form not in text
