"""Reading and writing values under one key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ..exceptions import WeakDialect
from . import columns

if TYPE_CHECKING:
    from .._native import DialectCodec
    from .rows import Dialect

#: What becomes of values that can't be read or written.
Errors = Literal["raise", "null", "collect"]


class Flaw(NamedTuple):
    """Something that a dialect lacks."""

    #: For programs, e.g. ``no-integrity``.
    name: str
    #: In a line.
    text: str


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
