"""Answers requests."""

import platform
import sys
from collections.abc import Callable

import inputs
from operation import Operation, Ring, ring_of, walk
from protocol import Line, Refusal, Wrong, field
from sample import take
from task import KEYS, Task

#: The most bytes that the messages of a random run may have together.
MAX_RANDOM_BYTES = 1 << 30


class Server:
    def __init__(self, engine: str, version: str, path: str, operations: list[Operation]) -> None:
        self.engine, self.version, self.path = engine, version, path
        self.operations = {(it.algorithm, it.name): it for it in operations}
        self.digests = dict[Task, str]()

    def serve(self) -> None:
        for text in sys.stdin:
            print(self.answer(text), flush=True)

    def answer(self, text: str) -> str:
        try:
            return self.perform(Line(text))
        except Refusal as refusal:
            return "refused" + field("reason", refusal)
        except MemoryError:
            return "refused" + field("reason", "not enough memory")
        except Exception as error:
            return "error" + field("reason", str(error) or repr(error))

    def perform(self, line: Line) -> str:
        verbs: dict[str, Callable[[Line], str]] = {
            "describe": self.describe,
            "check": self.random if "random" in line.fields else self.checked,
            "measure": self.measure,
        }
        if line.word not in verbs:
            raise Wrong(f"unknown verb `{line.word}`; known: {', '.join(verbs)}")
        if line.text("unaligned", "0") != "0":
            raise Refusal(f"{self.engine} has no choice where buffers begin")
        if line.text("cold", "false") != "false":
            raise Refusal(f"{self.engine} is measured with warm caches only")
        if "around_us" in line.fields:
            raise Refusal(f"{self.engine} is not measured beside others")
        return verbs[line.word](line)

    def describe(self, line: Line) -> str:
        line.only([])
        build = f"{platform.python_implementation()} {platform.python_version()}"
        head = {"engine": self.engine, "version": self.version, "build": build, "path": self.path}
        offers = "".join(field("offer", it.offer()) for it in self.operations.values())
        return "ok" + "".join(field(*pair) for pair in head.items()) + offers

    def admit(self, task: Task) -> Operation:
        """The operation of a task, if it can be done."""
        name = f"{task.algorithm}/{task.operation}"
        it = self.operations.get((task.algorithm, task.operation))
        if it is None:
            raise Refusal(f"{self.engine} has no {name}")
        granule = inputs.mix_granule(task.size) if task.is_mix else task.call_bytes
        for wrong, why in (
            (task.level != "-", f"has no level `{task.level}`; it has -"),
            (task.single not in it.models, f"can't be measured in model {task.single}"),
            (task.nonce_bytes != it.nonce_bytes, f"takes no IV of {task.nonce_bytes} bytes"),
            (granule % it.granule != 0, f"takes whole blocks of {it.granule} bytes"),
            (task.messages != 1 and task.model != "batch", "has one message a call"),
            (task.threads != 1, f"works on one thread, not {task.threads}"),
            (task.aad_bytes != 0 and it.shape != "seal", "has no associated data"),
            (
                it.shape == "mac" and task.placement != "in-place",
                f"is measured in-place, not {task.placement}",
            ),
        ):
            if wrong:
                raise Refusal(f"{self.engine}: {name} {why}")
        return it

    def check(self, task: Task) -> str:
        operation = self.admit(task)
        if task not in self.digests:
            ring = ring_of(operation, task)
            self.run_once(ring, task.single)
            self.digests[task] = ring.digest()
        return self.digests[task]

    @staticmethod
    def run_once(ring: Ring, model: str) -> None:
        places = range(len(ring.messages))
        for call in ring.calls(model, [(place, place) for place in places]):
            call()

    def checked(self, line: Line) -> str:
        line.only(KEYS)
        return "ok" + field("digest", self.check(Task.read(line)))

    def random(self, line: Line) -> str:
        line.only([*KEYS, "random", "least", "granule"])
        task = Task.read(line)
        count = line.number("random", 1, 1, 10_000)
        least = line.number("least", 0, 0, task.size)
        granule = line.number("granule", 1, 1, 1 << 31)
        operation = self.admit(task)
        if task.single not in ("packet", "message"):
            raise Refusal(f"model {task.model} has no random messages")
        if granule % operation.granule or least % operation.granule:
            raise Refusal(f"random messages must be whole blocks of {operation.granule}")
        if task.size > MAX_RANDOM_BYTES // count:
            raise Refusal(f"random messages may have {MAX_RANDOM_BYTES} bytes together")
        ring = Ring(operation, task.seed, count)
        for place in range(count):
            draw = inputs.words(task.seed, inputs.DRAW, place, 3)
            length = least + granule * (draw[0] % ((task.size - least) // granule + 1))
            even = draw[2] % 2 == 0 or operation.shape == "mac"
            aad = draw[1] % (task.aad_bytes + 1) if task.aad_bytes else 0
            ring.put(length, even, aad)
        self.run_once(ring, task.single)
        return "ok" + field("digest", ring.digest())

    def measure(self, line: Line) -> str:
        line.only([*KEYS, "samples", "budget_us"])
        task = Task.read(line)
        samples = line.number("samples", 21, 3, 10_001)
        if samples % 2 == 0:
            raise Wrong(f"`samples` is `{samples}`; allowed: an odd number")
        budget = line.number("budget_us", 0, 0, 1 << 31)
        digest = self.check(task)
        run, unit = walk(ring_of(self.admit(task), task), task)
        series = take(run, unit, samples, budget)
        answer = {
            "clock": "wall",
            "digest": digest,
            "repeats": series.repeats,
            "call_bytes": task.call_bytes,
            "load": ",".join(map(str, series.load)),
            "samples": ",".join(map(str, series.samples)),
        }
        if series.switches is not None:
            answer["switches"] = series.switches
        return "ok" + "".join(field(*pair) for pair in answer.items())
