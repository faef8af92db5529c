"""Dialects, and reading and writing values of one under a key."""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from .._native import DialectCodec, dialect_name
from ..exceptions import InvalidSetting, WeakDialect, WeakDialectWarning
from . import columns
from .rows import Flaw, Source, mode_of, table

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: What becomes of values that can't be read or written.
Errors = Literal["raise", "null", "collect"]


class BadRow(NamedTuple):
    """A value that could not be read or written."""

    #: Its place, from 0.
    row: int
    #: ``tag``, ``padding``, ``coding``, ``length``, ``zero byte`` or ``text``.
    kind: str
    #: What is wrong and what to do about it, in a line. For the owner of the data alone.
    reason: str


class Collected(NamedTuple):
    """What comes of ``errors="collect"``."""

    #: All values, NULL in the place of each bad row.
    values: Any
    #: The bad rows in their order.
    bad: list[BadRow]


class Codec:
    """A dialect under a key; made by :meth:`Dialect.prepare`. Threads may share it. It can't be
    copied or pickled, because it holds the key.

    Stored values are ``bytes`` where their coding is ``raw``, else ``str``; what is read is
    ``bytes``, or ``str`` for a codec with ``text``. In a column of Arrow that is ``binary`` or
    ``string``, and ``large_…`` beyond 2 GiB.
    """

    __slots__ = ("_native", "dialect", "text", "weak")

    def __init__(self, dialect: Dialect, native: DialectCodec, *, weak: bool, text: bool) -> None:
        self.dialect, self._native = dialect, native
        self.weak, self.text = bool(weak), bool(text)

    @property
    def mode(self) -> str:
        """The mode by the engine's name."""
        return self._native.mode

    @property
    def cipher(self) -> str:
        """The cipher that the key has chosen, by the registry's name."""
        return self._native.cipher

    @property
    def coding(self) -> str:
        """How stored values are coded: ``raw``, ``base64``, ``hex`` or ``hex-upper``."""
        return self._native.coding

    @property
    def authenticates(self) -> bool:
        """Whether a value that was changed, or is of another key, is refused."""
        return self._native.authenticates

    @property
    def flaws(self) -> tuple[Flaw, ...]:
        """What these values lack."""
        return tuple(Flaw(*flaw) for flaw in self._native.flaws)

    def encrypt(self, values: Any, *, errors: Errors = "raise") -> Any:
        """The stored value of a plaintext, or of each of many.

        What can't be stored raises ``InvalidValue`` with its row, becomes NULL (``"null"``), or
        becomes NULL and is told in a :class:`Collected` (``"collect"``). Raises ``WeakDialect`` if
        the values lack something and the codec was not made with ``weak=True``.
        """
        if not self.weak and self._native.flaws:
            raise WeakDialect(
                f"{self._lacks()}; allowed: values that lack nothing; give weak=True if the engine "
                "must read it, else take cipherlane.aead",
                field="weak",
                value="False",
                allowed="True for values that lack something",
                remedy="give weak=True if the engine must read it, else take cipherlane.aead",
            )
        return self._each(values, False, errors)

    def decrypt(self, values: Any, *, errors: Errors = "raise") -> Any:
        """The plaintext of a stored value, or of each of many.

        Where there is a tag or a MAC, nothing of a plaintext comes out unless that is right.
        ``errors`` is that of :meth:`encrypt`.

        >>> from cipherlane.dialects import find
        >>> codec = find("spark-aes").prepare("0000111122223333", coding="base64", text=True)
        >>> codec.decrypt(["g/FrKqcEeUEygC0kjmv9TjgAeBgtFUSBOJisl+cJsoqU", "AAAA"], errors="collect")
        Collected(values=['Spark', None], bad=[BadRow(row=1, kind='length', reason='stored value \
of spark-aes has 3 bytes; allowed: 28 or more; it is cut off, or of another dialect, mode or \
coding; take an undamaged copy')])
        """
        return self._each(values, True, errors)

    def _lacks(self) -> str:
        lacks = "; ".join(flaw.text for flaw in self.flaws)
        return f"{self.dialect.name} in mode {self.mode} is weak: {lacks}"

    def _work(self, decrypts: bool, errors: Errors) -> columns.Work:
        is_text = self.text if decrypts else self.coding != "raw"
        return self._native, decrypts, is_text, errors

    def _each(self, values: Any, decrypts: bool, errors: Errors) -> Any:
        if errors not in ("raise", "null", "collect"):
            raise ValueError(f'errors is {errors!r}; allowed: "raise", "null", "collect"')
        if isinstance(values, (list, tuple)):
            made, bad = self._native.values(list(values), decrypts, self.text, errors)
            whole = made if isinstance(values, list) else tuple(made)
        elif columns.is_array(values):
            whole, bad = columns.of_array(values, self._work(decrypts, errors))
        elif columns.is_series(values):
            whole, bad = columns.of_series(values, self._work(decrypts, errors))
        elif errors == "raise":
            if values is not None and not isinstance(values, str):
                values = _buffer(values)
            return self._native.value(values, decrypts, self.text)
        else:
            one = values if values is None or isinstance(values, str) else _buffer(values)
            [whole], bad = self._native.values([one], decrypts, self.text, errors)
        if errors != "collect":
            return whole
        return Collected(whole, [BadRow(*row) for row in bad])

    def __repr__(self) -> str:
        return f"<codec of {self.dialect.name} in mode {self.mode}, {self.coding}>"

    def __reduce__(self) -> str:
        raise TypeError("a codec can't be copied or pickled: it holds a key; prepare it again")


def _buffer(value: Any) -> Any:
    """One value; an array of numbers or objects, such as numpy has them, is none."""
    try:
        view = memoryview(value)
    except TypeError:
        view = None
    if view is None or view.itemsize != 1:
        raise TypeError(
            f"a value as {type(value).__name__}; allowed: bytes, str, None, a list or tuple of "
            "these, an array of pyarrow, a series of pandas"
        )
    return value


class Dialect:
    """How one engine stores encrypted values; see :func:`find`. All attributes are texts or
    tuples to look at."""

    def __init__(self, name: str) -> None:
        row = table()[dialect_name(name)]
        #: Its name here.
        self.name = row["name"]
        #: Product and function.
        self.engine = row["engine"]
        #: The ciphers of its modes by the registry's names.
        self.ciphers = tuple(row["ciphers"])
        #: Its modes, the engine's own choice first.
        self.modes = tuple(mode_of(it) for it in row["modes"])
        #: How the user's key becomes the cipher's.
        self.key = row["key"]
        #: The forms that a key is given in: ``text``, ``hex``, ``base64``.
        self.key_forms = tuple(row["key_forms"])
        #: The digests to choose from, where one makes the key; the usual one first.
        self.digests = tuple(row["digests"])
        #: Where the IV comes from.
        self.iv = row["iv"]
        #: The MAC, or none.
        self.mac = row["mac"]
        #: The codings that values are met in; the first is the engine's.
        self.codings = tuple(row["codings"])
        #: The character set of plaintexts.
        self.text = row["text"]
        #: What NULL and the empty text give.
        self.null = row["null"]
        #: ``published`` where a value that somebody else has printed comes out, else ``computed``.
        self.status = row["status"]
        #: More on that, or none.
        self.status_note = row["status_note"]
        #: What else one must know.
        self.notes = tuple(row["notes"])
        #: Where its rules were read.
        self.sources = tuple(Source(*source) for source in row["sources"])
        #: What any of its modes lacks.
        self.flaws = tuple(Flaw(*flaw) for flaw in row["flaws"])

    def prepare(
        self,
        key: Buffer | str,
        *,
        mode: str | None = None,
        iv: Buffer | str | None = None,
        coding: str | None = None,
        weak: bool = False,
        text: bool = False,
        aad: Buffer | str = b"",
        digest: str | None = None,
        key_form: str | None = None,
        iv_form: str | None = None,
    ) -> Codec:
        """Makes what reads and writes values under a key.

        ``key`` and ``iv`` are given as the engine's user gives them: a ``str`` is the engine's
        argument, in the first of the dialect's forms under which it has an allowed length;
        ``bytes`` are the key or IV itself. ``key_form`` and ``iv_form`` say it otherwise:
        ``text``, ``hex``, ``base64`` or ``bytes``.

        ``mode`` is one of :attr:`modes` by name, the engine's own choice without; ``coding`` is
        ``raw``, ``base64``, ``hex`` or ``hex-upper``, the engine's own without; ``digest`` makes
        the key where there is a choice; ``aad`` is associated data, for modes that have such.
        With ``text`` what is read is ``str``, from UTF-8. ``weak`` lets values be written that lack
        something, and takes the warning away.

        Raises ``UnknownMode``, or ``InvalidSetting``, which never shows a key.

        >>> find("mysql-aes").prepare("key", mode="aes-256-cbc", iv="too short", weak=True)
        Traceback (most recent call last):
        ...
        cipherlane.exceptions.InvalidSetting: IV of mysql-aes has 9 bytes; allowed: 16 bytes or more; \
give the IV as the engine's user gives it, byte by byte
        """
        given_key, key_form = _given(self, "key", key, key_form)
        given_iv, iv_form = (None, iv_form) if iv is None else _given(self, "IV", iv, iv_form)
        native = DialectCodec(
            self.name,
            given_key,
            key_form=key_form,
            mode=mode,
            iv=given_iv,
            iv_form=iv_form,
            digest=digest,
            aad=aad.encode() if isinstance(aad, str) else aad,
            coding=coding,
        )
        codec = Codec(self, native, weak=weak, text=text)
        if codec.flaws and not weak:
            warnings.warn(codec._lacks(), WeakDialectWarning, stacklevel=2)
        return codec

    def __repr__(self) -> str:
        return f"cipherlane.dialects.find({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dialect) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


def _given(
    dialect: Dialect, field: str, value: Buffer | str, form: str | None
) -> tuple[Buffer, str | None]:
    """A text as the engine takes it; bytes are the key or the IV itself."""
    if not isinstance(value, str):
        return value, form or "bytes"
    try:
        return value.encode(), form
    except UnicodeEncodeError:
        # Its exception would hold the text.
        raise InvalidSetting(
            f"{field} of {dialect.name} is no Unicode text; allowed: text that UTF-8 has, or bytes; "
            f"give the {field} as bytes",
            field=field,
            allowed="text that UTF-8 has, or bytes",
            remedy=f"give the {field} as bytes",
        ) from None


@lru_cache(maxsize=64)
def _found(name: str) -> Dialect:
    return Dialect(name)


def find(name: str) -> Dialect:
    """The dialect of that name, whatever its case.

    >>> find("yashandb-sm4").modes[0].name
    'CBC'
    >>> find("yashan-sm4")
    Traceback (most recent call last):
    ...
    cipherlane.exceptions.UnknownDialect: no dialect is called `yashan-sm4`; did you mean yashandb-sm4?
    """
    return _found(dialect_name(name))


def all() -> tuple[Dialect, ...]:  # noqa: A001
    """Every dialect.

    >>> [dialect.name for dialect in all()][:3]
    ['doris-sm4', 'doris-sm4-0.15', 'doris-aes']
    """
    return tuple(_found(name) for name in table())
