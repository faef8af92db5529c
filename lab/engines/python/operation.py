"""Operations, their messages, and how they are called."""

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import cycle, islice

import inputs
from task import Task

#: Does the work on one message.
Call = Callable[[], object]


@dataclass
class Message:
    key: bytes
    iv: bytes
    aad: bytes
    #: The data; room for a tag behind it where an AEAD seals.
    memory: bytearray
    length: int
    #: The input; the head of `memory` where it is processed in place.
    data: memoryview
    tag: bytes = b""


@dataclass
class Operation:
    """`packet` and `message` make the call on one message: under a fresh key, or under an
    object that `ready` made of key and IV; `stream` makes a call on the next piece."""

    algorithm: str
    name: str
    key_bytes: int
    nonce_bytes: int
    granule: int = 1
    tag_bytes: int = 0
    #: "cipher", "seal" or "mac".
    shape: str = "cipher"
    #: Bytes that the library wants behind the output.
    slack: int = 0
    ready: Callable[[bytes, bytes], object] = field(default=lambda key, iv: None)
    message: Callable[[object, Message], Call] | None = None
    packet: Callable[[Message], Call] | None = None
    stream: Callable[[object, Message], Call] | None = None

    @property
    def models(self) -> list[str]:
        return [name for name in ("stream", "packet", "message") if getattr(self, name)]

    def offer(self) -> str:
        models = ",".join([*self.models, "batch"])
        return (
            f"{self.algorithm}/{self.name}:-:{models}:{self.key_bytes}:{self.nonce_bytes}:"
            f"{self.granule}:{self.tag_bytes}"
        )


class Ring:
    """Keys, IVs and messages of a task."""

    def __init__(self, operation: Operation, seed: int, slots: int) -> None:
        self.operation, self.seed, self.messages = operation, seed, list[Message]()
        self.keys = [
            bytes(inputs.make(seed, inputs.KEY, slot, operation.key_bytes)) for slot in range(slots)
        ]
        self.ivs = [
            bytes(inputs.make(seed, inputs.IV, slot, operation.nonce_bytes))
            for slot in range(slots)
        ]

    def put(self, length: int, in_place: bool, aad_bytes: int, slot: int | None = None) -> None:
        place = len(self.messages)
        slot = place if slot is None else slot
        operation = self.operation
        data = inputs.make(self.seed, inputs.DATA, place, length)
        room = operation.slack + (operation.tag_bytes if operation.shape == "seal" else 0)
        memory = bytearray(data) + bytes(room) if in_place else bytearray(length + room)
        source = memoryview(memory)[:length] if in_place else memoryview(data)
        aad = bytes(inputs.make(self.seed, inputs.AAD, slot, aad_bytes))
        self.messages.append(
            Message(self.keys[slot], self.ivs[slot], aad, memory, length, source)
        )

    def digest(self) -> str:
        """SHA-256 over all outputs in order, tags appended."""
        digest, operation = hashlib.sha256(), self.operation
        for message in self.messages:
            tag = operation.tag_bytes if operation.shape == "seal" and not message.tag else 0
            if operation.shape != "mac":
                digest.update(memoryview(message.memory)[: message.length + tag])
            digest.update(message.tag)
        return digest.hexdigest()

    def calls(self, model: str, order: list[tuple[int, int]]) -> list[Call]:
        """The calls of a model, for pairs of a slot and a message."""
        operation, made = self.operation, list[Call]()
        ready = dict[int, object]()
        for slot, place in order:
            one = self.messages[place]
            mine = Message(
                self.keys[slot], self.ivs[slot], one.aad, one.memory, one.length, one.data
            )
            mine = one if slot == place else mine
            if model == "packet":
                assert operation.packet
                made.append(operation.packet(mine))
                continue
            slot = 0 if model == "stream" else slot
            if slot not in ready:
                ready[slot] = operation.ready(self.keys[slot], self.ivs[slot])
            make = operation.stream if model == "stream" else operation.message
            assert make
            made.append(make(ready[slot], mine))
        return made


def ring_of(operation: Operation, task: Task) -> Ring:
    """The messages of a task."""
    count = task.buffers()
    ring = Ring(operation, task.seed, max(inputs.SLOTS, count))
    for length in inputs.lengths(task.seed, task.call_bytes, count, task.is_mix):
        ring.put(length, task.placement == "in-place", task.aad_bytes)
    return ring


def walk(ring: Ring, task: Task) -> tuple[Callable[[int], None], int]:
    """Does so many calls, on one message or batch after the other; the calls of one round."""
    count = len(ring.messages)
    if task.model == "batch":
        order = [(place, place) for place in range(count)]
    else:
        slots = inputs.SLOTS
        order = [(turn % slots, turn % count) for turn in range(math.lcm(slots, count))]
    forever = cycle(ring.calls(task.single, order))
    each = task.messages if task.model == "batch" else 1

    def run(repeats: int) -> None:
        for call in islice(forever, repeats * each):
            call()

    return run, count // each if task.is_mix else 1
