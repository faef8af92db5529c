"""Objects of this package beside those of ``cryptography``, and calls on both."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Told:
    """A call, and what became of it: a value, or the name of the exception's class."""

    call: str
    ours: Any
    theirs: Any
    #: What the caller knows of the arguments, for rules.
    facts: dict[str, Any] = field(default_factory=dict)


#: A call, and what it needs.
Act = Callable[[], Any]


def outcome(act: Act) -> Any:
    try:
        return ("value", act())
    except Exception as error:
        return ("raised", type(error).__name__)


def raised(told: Any) -> str | None:
    """The exception's name, if there was one."""
    return told[1] if told[0] == "raised" else None


class Sequence:
    """Two objects that should be alike, and what they were told."""

    def __init__(self, draws: random.Random, name: str, mode: str = "") -> None:
        self.draws, self.name, self.mode = draws, name, mode
        self.calls = 0
        self.told: list[Told] = []
        #: What happened so far, for rules: a failed end, data given.
        self.failed_end = self.updated = False
        self.encrypts = True
        #: A block of the algorithm, and bytes that wait for the rest of one.
        self.block, self.held = 1, 0
        self.ours: Any = None
        self.theirs: Any = None

    def story(self) -> str:
        """What was called, and what the two said."""
        lines = [f"{type(self).__name__} {self.name} {self.mode}"]
        lines += [f"{it.call}\n  ours   {it.ours!r}\n  theirs {it.theirs!r}" for it in self.told]
        return "\n".join(lines)

    def run(self) -> Iterator[Told]:
        """Makes the objects, then calls them, one call after the other."""
        yield self._note(self.begin())
        if self.ours is None or self.theirs is None:
            return
        for _ in range(self.draws.randrange(1, 14)):
            yield self._note(self.step())

    def begin(self) -> Told:
        """Makes the objects."""
        raise NotImplementedError

    def step(self) -> Told:
        """A call on both."""
        raise NotImplementedError

    def _note(self, told: Told) -> Told:
        self.calls += 1
        self.told.append(told)
        return told

    def _both(self, call: str, ours: Act, theirs: Act, **facts: Any) -> Told:
        return Told(call, outcome(ours), outcome(theirs), facts)

    # What is given.

    def _length(self) -> int:
        draws = self.draws
        some, many = draws.randrange(80), draws.randrange(700)
        return draws.choice((0, 1, self.block, 16, 32, some, some, many))

    def _data(self, length: int | None = None) -> bytes:
        return self.draws.randbytes(self._length() if length is None else length)

    def _lent(self, data: bytes) -> Any:
        """The same bytes in one of the forms that both take."""
        form = self.draws.randrange(8)
        return bytearray(data) if form == 0 else memoryview(data) if form == 1 else data

    def _usually(self, right: int, *others: int) -> int:
        return self.draws.choice(others) if others and self.draws.random() < 0.04 else right

    def _made(self, call: str, ours: Act, theirs: Act, **facts: Any) -> Told:
        """Makes the objects; a value is told as such, not the object."""

        def keep(side: str, make: Act) -> None:
            setattr(self, side, make())

        return self._both(call, lambda: keep("ours", ours), lambda: keep("theirs", theirs), **facts)
