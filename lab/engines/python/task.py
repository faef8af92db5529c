"""The work of a request: a cell with its seed and buffer."""

import math
from dataclasses import dataclass

from inputs import RING_BYTES, SLOTS, mix_granule
from protocol import Line, Wrong

KEYS = [
    "algorithm", "operation", "model", "level", "size", "messages", "keys", "mix", "threads",
    "placement", "unaligned", "cold", "nonce_bytes", "aad_bytes", "seed", "buffer",
]  # fmt: skip
_HUGE = (1 << 63) - 1


def is_setup(model: str) -> bool:
    return model in ("init", "key")


@dataclass(frozen=True)
class Task:
    algorithm: str
    operation: str
    model: str
    level: str
    keys: str
    mix: str
    placement: str
    size: int
    messages: int
    threads: int
    nonce_bytes: int
    aad_bytes: int
    seed: int
    buffer: int

    @classmethod
    def read(cls, line: Line) -> "Task":
        model = line.text("model", "")
        usual = "fresh" if is_setup(model) or model == "packet" else "ready"
        task = cls(
            line.text("algorithm", ""),
            line.text("operation", ""),
            model,
            line.text("level", "-"),
            line.text("keys", usual),
            line.text("mix", "equal"),
            line.text("placement", "in-place"),
            line.number("size", 0, 0, _HUGE),
            line.number("messages", 1, 1, 1 << 16),
            line.number("threads", 1, 1, _HUGE),
            line.number("nonce_bytes", 0, 0, 1 << 20),
            line.number("aad_bytes", 0, 0, 1 << 20),
            line.number("seed", 1, 0, (1 << 64) - 1),
            line.number("buffer", _HUGE, 4096, _HUGE),
        )
        for key, value, allowed in (
            ("model", model, ("init", "key", "stream", "packet", "message", "batch", "latency")),
            ("keys", task.keys, ("fresh", "ready")),
            ("mix", task.mix, ("equal", "imix")),
            ("placement", task.placement, ("in-place", "disjoint")),
        ):
            if value not in allowed:
                raise Wrong(f"`{key}` is `{value}`; allowed: {', '.join(allowed)}")
        if model != "batch" and task.keys != usual:
            raise Wrong(f"`keys` is `{task.keys}`, which model {model} has not")
        if (task.size == 0) != is_setup(model):
            raise Wrong(f"`size` is `{task.size}`, which model {model} has not")
        if task.is_mix and (model != "batch" or mix_granule(task.size) == 0):
            raise Wrong("`mix` is `imix`; allowed in model batch with the mean as size")
        return task

    @property
    def is_mix(self) -> bool:
        return self.mix == "imix"

    @property
    def call_bytes(self) -> int:
        """The length of one message, or of the buffer where that is shorter."""
        return min(self.size, self.buffer)

    @property
    def single(self) -> str:
        """The model of one message of a batch."""
        if self.model != "batch":
            return self.model
        return "packet" if self.keys == "fresh" else "message"

    def buffers(self) -> int:
        """How many different messages of that length there are."""
        size = max(self.call_bytes, 1)
        if self.model != "batch":
            return min(max(RING_BYTES // size, 1), SLOTS)
        least = self.messages
        if self.is_mix:
            least *= 12 // math.gcd(12, self.messages)
        wanted = -(-SLOTS // least)
        if not self.is_mix:
            wanted = max(min(wanted, RING_BYTES // (size * least)), 1)
        return least * wanted
