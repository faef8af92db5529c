"""The dialects there are: what each says of itself, and how a codec is made of it."""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from .._native import DialectCodec, dialect_name, dialect_rows
from ..exceptions import InvalidSetting, WeakDialectWarning
from .codec import Codec, Flaw

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from .._native import ModeRow


class Source(NamedTuple):
    """Where a rule was read."""

    #: The document.
    at: str
    #: What it says.
    read: str


class Mode(NamedTuple):
    """A mode of a dialect, in the engine's words."""

    name: str
    #: The ciphers by the registry's names; of several the key's length chooses.
    ciphers: tuple[str, ...]
    #: The registry's name of the mode, e.g. ``cbc``.
    operation: str
    padding: str
    #: Where the IV comes from, in few words.
    iv: str
    #: The pieces of a stored value, with their lengths in bytes.
    layout: str
    #: Whether each value's IV is drawn when it is written.
    draws: bool
    #: What its values lack where an IV that can be given is not.
    flaws: tuple[Flaw, ...]


class Dialect:
    """How one engine stores encrypted values; see :func:`find`. All attributes are texts or
    tuples to look at."""

    def __init__(self, name: str) -> None:
        row = _rows()[dialect_name(name)]
        #: Its name here.
        self.name = row["name"]
        #: Product and function.
        self.engine = row["engine"]
        #: The ciphers of its modes by the registry's names.
        self.ciphers = tuple(row["ciphers"])
        #: Its modes, the engine's own choice first.
        self.modes = tuple(_mode(mode) for mode in row["modes"])
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


@lru_cache(maxsize=1)
def _rows() -> dict[str, Any]:
    return {row["name"]: row for row in dialect_rows()}


def _mode(row: ModeRow) -> Mode:
    return Mode(
        row["name"],
        tuple(row["ciphers"]),
        row["operation"],
        row["padding"],
        row["iv"],
        row["layout"],
        row["draws"],
        tuple(Flaw(*flaw) for flaw in row["flaws"]),
    )


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
    return tuple(_found(name) for name in _rows())
