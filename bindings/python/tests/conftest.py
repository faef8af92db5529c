"""What the tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Vector:
    """A line of the published vectors, which ``cargo xtask python`` writes."""

    kind: str
    id: str
    algorithm: str
    operation: str
    inverse: str
    key: bytes
    iv: bytes
    aad: bytes
    input: bytes
    output: bytes
    tag: bytes
    offset: int
    bits: int | None
    valid: bool
    parameters: dict[str, int]

    def __str__(self) -> str:
        return f"{self.id}@{self.offset}"


def vectors(kind: str) -> list[Vector]:
    path = os.environ.get("CIPHERLANE_VECTORS")
    if path is None:
        raise RuntimeError("CIPHERLANE_VECTORS names no file: run the tests by cargo xtask python")
    found = [vector for vector in _read(Path(path)) if vector.kind == kind]
    assert found, f"{path} has no vectors of kind {kind}"
    return found


def _read(path: Path) -> Iterator[Vector]:
    for line in path.read_text().splitlines()[1:]:
        kind, name, algorithm, operation, inverse, *hexes = line.split("\t")
        *strings, offset, bits, valid, numbers = hexes
        names = ("effective_key_bits", "word_bits", "rounds")
        values = numbers.split(",")
        # Python 3.9 has no ``zip(…, strict=True)``.
        assert len(values) == len(names), line
        given = zip(names, values)
        yield Vector(
            kind,
            name,
            algorithm,
            operation,
            inverse,
            *map(bytes.fromhex, strings),
            int(offset),
            int(bits) if bits else None,
            valid == "1",
            {key: int(value) for key, value in given if value},
        )
