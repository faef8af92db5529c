"""SM4 for columns of Spark, beside its own ``aes_encrypt`` and in the same order of arguments.

``sm4_encrypt(col, key, mode, padding, iv, aad)``, ``sm4_decrypt`` and ``try_sm4_decrypt`` take and
give what ``aes_encrypt`` and its relatives do with AES: modes ``GCM``, ``CBC``, ``ECB``; padding
``DEFAULT``, ``PKCS``, ``NONE``; a value is IV, ciphertext and tag, one behind the other. They run on
batches of Arrow (PySpark 4.1 and later) or of pandas.

A key is never an argument, for arguments stand in query plans, logs and the user interface; a
reference to it is:

``file:PATH``
    a file of hexadecimal digits that every worker can read
``env:NAME``
    an environment variable of the workers, of such digits
``option:NAME``
    an option of the Spark session, of such digits; the driver reads it and hands it to the workers
    as a broadcast. Its name must be one that Spark blackens in logs: one with ``secret``,
    ``password`` or ``token`` in it.

:func:`register` gives the functions their names in SQL.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from . import arrow

if TYPE_CHECKING:
    from pyspark.sql import Column

__all__ = ["register", "sm4_decrypt", "sm4_encrypt", "try_sm4_decrypt"]

#: Names of options whose values Spark shows nowhere (``spark.redaction.regex``).
_BLACKENED = re.compile("(?i)secret|password|token|access[.]?key")

#: Options that :func:`register` hands to the workers.
_OPTIONS = "spark.cipherlane."

_NO_KEY = "a key is given by file:PATH, env:NAME or option:NAME, never as itself"

#: What the key of an option is read from: a broadcast of names and digits.
_Options = Any


def _digits(text: str, place: str) -> bytes:
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != 16:
        # The text may be a key all the same: it is not repeated.
        raise ValueError(f"{place} holds no SM4 key; allowed: 32 hexadecimal digits")
    return key


def _key(reference: str, options: _Options) -> bytes:
    """The key that a reference stands for, where this runs."""
    kind, _, name = reference.partition(":")
    if kind == "file" and name:
        return _digits(Path(name).read_text(), f"the file {name}")
    if kind == "env" and name:
        if name not in os.environ:
            raise KeyError(f"the variable {name} is not set where the column is worked on")
        return _digits(os.environ[name], f"the variable {name}")
    if kind == "option" and name:
        known = {} if options is None else options.value
        if name not in known:
            raise KeyError(f"the option {name} was not set when the function was made")
        return _digits(known[name], f"the option {name}")
    raise ValueError(_NO_KEY)


def _checked(reference: str) -> str:
    kind, _, name = reference.partition(":")
    if kind not in ("file", "env", "option") or not name:
        raise ValueError(_NO_KEY)
    if kind == "option" and not _BLACKENED.search(name):
        raise ValueError(
            f"the option {name} would be shown in logs; "
            "allowed: names with secret, password or token"
        )
    return reference


def _broadcast(spark: SparkSession, names: list[str]) -> _Options:
    found = {name: spark.conf.get(name, None) for name in names}
    missing = [name for name, value in found.items() if value is None]
    if missing:
        raise KeyError(f"the option {missing[0]} is not set in this session")
    return spark.sparkContext.broadcast(found) if found else None


def _options_of(reference: str) -> _Options:
    kind, _, name = reference.partition(":")
    if kind != "option":
        return None
    spark = SparkSession.active()
    return _broadcast(spark, [name])


def _same(values: pyarrow.Array, what: str) -> str | None:
    """The value that a column of a literal has everywhere."""
    found = values.unique().to_pylist()
    if len(found) > 1:
        raise ValueError(f"{what} differs between rows; allowed: one for all")
    return found[0] if found else None


def _as_bytes(values: Any) -> Any:
    kind = values.type
    text = pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind)
    return values if text or "binary" in str(kind) else values.cast(pyarrow.binary())


#: What is done with a column: values, key, mode, padding, IV, associated data.
_Work = Callable[[Any, bytes, str, str, Any, Any], Any]


def _encrypt(values: Any, key: bytes, mode: str, padding: str, iv: Any, aad: Any) -> Any:
    return arrow.encrypt(values, key, mode, padding, iv, aad)


def _decrypt(values: Any, key: bytes, mode: str, padding: str, iv: Any, aad: Any) -> Any:
    return arrow.decrypt(values, key, mode, padding, aad)


def _try_decrypt(values: Any, key: bytes, mode: str, padding: str, iv: Any, aad: Any) -> Any:
    return arrow.try_decrypt(values, key, mode, padding, aad)


def _made(function: Callable[..., Any], deterministic: bool) -> Callable[..., Column]:
    """A function on arrays of Arrow as one of Spark; on pandas where Spark has no other."""
    made: Any
    arrow_udf = getattr(F, "arrow_udf", None)
    if arrow_udf is not None:

        def on_arrow(values: pyarrow.Array, *more: pyarrow.Array) -> pyarrow.Array:
            return function(values, *more)

        # Spark reads them as types, not as text.
        array = pyarrow.Array
        on_arrow.__annotations__ = {"values": array, "more": array, "return": array}
        made = arrow_udf(on_arrow, "binary")
    else:
        made = _on_pandas(function)
    chosen: Callable[..., Column] = made if deterministic else made.asNondeterministic()
    return chosen


def _on_pandas(function: Callable[..., Any]) -> Any:
    import pandas

    def on_pandas(values: pandas.Series, *more: pandas.Series) -> pandas.Series:
        columns = [pyarrow.Array.from_pandas(column) for column in (values, *more)]
        # A column of nulls alone has no type of its own.
        columns = [
            column.cast(pyarrow.binary()) if column.type == pyarrow.null() else column
            for column in columns
        ]
        return function(*columns).to_pandas()

    series = pandas.Series
    on_pandas.__annotations__ = {"values": series, "more": series, "return": series}
    # Not as an attribute: not every version of PySpark tells it to type checkers.
    return vars(F)["pandas_udf"](on_pandas, "binary")


def _constant(value: Any) -> bool:
    return isinstance(value, (bytes, bytearray, memoryview))


def _column(
    work: _Work, col: Any, key: str, mode: str, padding: str, iv: Any, aad: Any
) -> Column:
    """The column that comes out: what is known here goes with the function, not as columns."""
    reference, options = _checked(key), _options_of(key)
    arrow._layout(mode, padding, aad)
    own_iv, own_aad = iv is not None and not _constant(iv), aad is not None and not _constant(aad)
    fixed_iv = bytes(iv) if _constant(iv) else None
    fixed_aad = bytes(aad) if _constant(aad) else None

    def run(values: Any, *more: Any) -> Any:
        rest = iter(more)
        each_iv = next(rest) if own_iv else fixed_iv
        each_aad = _as_bytes(next(rest)) if own_aad else fixed_aad
        found = _key(reference, options)
        return work(_as_bytes(values), found, mode, padding, each_iv, each_aad)

    deterministic = work is not _encrypt or iv is not None or mode.upper() == "ECB"
    columns = [col, *([iv] if own_iv else []), *([aad] if own_aad else [])]
    return _made(run, deterministic)(*columns)


def sm4_encrypt(
    col: Any,
    key: str,
    mode: str = "GCM",
    padding: str = "DEFAULT",
    iv: Any = None,
    aad: Any = None,
) -> Column:
    """A column of binaries: every value of ``col`` (binary or string) encrypted.

    ``key`` is a reference. ``iv`` and ``aad`` are columns or their names, or ``bytes`` for all rows;
    without ``iv`` every value gets one of its own, drawn at random.
    """
    return _column(_encrypt, col, key, mode, padding, iv, aad)


def sm4_decrypt(
    col: Any, key: str, mode: str = "GCM", padding: str = "DEFAULT", aad: Any = None
) -> Column:
    """A column of binaries: what was encrypted. Fails if a value does not open."""
    return _column(_decrypt, col, key, mode, padding, None, aad)


def try_sm4_decrypt(
    col: Any, key: str, mode: str = "GCM", padding: str = "DEFAULT", aad: Any = None
) -> Column:
    """The same with nulls for values that do not open."""
    return _column(_try_decrypt, col, key, mode, padding, None, aad)


def _in_sql(work: _Work, options: _Options) -> Callable[..., Any]:
    """The function of SQL: all its arguments are columns, most of them of one literal."""
    seals = work is _encrypt

    def run(values: Any, reference: Any, *more: Any) -> Any:
        if len(values) == 0:
            return pyarrow.array([], pyarrow.binary())
        words = [*more, *([None] * (4 - len(more)))]
        mode, padding = (None if it is None else _same(it, "the mode") for it in words[:2])
        iv, aad = words[2:4] if seals else (None, words[2])
        # An empty IV means none, as for `aes_encrypt`.
        if iv is not None and set(iv.unique().to_pylist()) <= {b"", "", None}:
            iv = None
        found = _key(_same(reference, "the key") or "", options)
        aad = None if aad is None else _as_bytes(aad)
        return work(_as_bytes(values), found, mode or "GCM", padding or "DEFAULT", iv, aad)

    return run


def register(spark: SparkSession) -> None:
    """Gives ``sm4_encrypt``, ``sm4_decrypt`` and ``try_sm4_decrypt`` their names in SQL:
    ``sm4_encrypt(value, 'env:NAME', 'GCM', 'DEFAULT', '', 'aad')``.

    Options that begin with ``spark.cipherlane.`` and may be keys are read now.
    """
    every = spark.conf.getAll if hasattr(spark.conf, "getAll") else {}
    known = dict(spark.sparkContext.getConf().getAll()) | dict(every() if callable(every) else every)
    names = [name for name in known if name.startswith(_OPTIONS) and _BLACKENED.search(name)]
    options = _broadcast(spark, names)
    functions: list[tuple[str, _Work]] = [
        ("sm4_encrypt", _encrypt),
        ("sm4_decrypt", _decrypt),
        ("try_sm4_decrypt", _try_decrypt),
    ]
    for name, work in functions:
        made: Any = _made(_in_sql(work, options), work is not _encrypt)
        spark.udf.register(name, made)
