"""Values as databases and middleware store them: Doris, MySQL, openGauss, Spark and others.

Each engine has its own way from a text to a key, its own IV, padding, layout and coding: its
*dialect*. ``docs/DIALECTS.md`` lists all with their rules and sources; :func:`all` and
:func:`find` tell the same to programs.

>>> from cipherlane import dialects
>>> doris = dialects.find("doris-sm4")
>>> codec = doris.prepare(
...     "F3229A0B371ED2D9441B830D21A390C3",
...     mode="SM4_128_CBC",
...     iv="0123456789",
...     coding="base64",
...     weak=True,
... )
>>> codec.decrypt("1Y4NGIukSbv9OrkZnRD1bQ==")
b'text'
>>> codec.encrypt(["text", None])
['1Y4NGIukSbv9OrkZnRD1bQ==', None]

A codec takes one value (``bytes``, ``str``, any buffer), a list or tuple of them, an array or a
chunked array of ``pyarrow``, or a series of ``pandas``, and gives back the same kind. Neither
package is needed for the rest. ``None`` and null stay what they are: they are SQL's NULL. Long
values, lists and columns are worked on without the interpreter's lock, many on all cores.

Most dialects have no MAC: nothing tells that a value was changed, and a wrong key shows in the
padding at best. :attr:`Codec.flaws` names what a dialect lacks; :meth:`Dialect.prepare` warns of
it, and writing such values needs ``weak=True``.
"""

from __future__ import annotations

from .codec import BadRow, Codec, Collected, Dialect, all, find
from .rows import Flaw, Mode, Source

__all__ = ["BadRow", "Codec", "Collected", "Dialect", "Flaw", "Mode", "Source", "all", "find"]
