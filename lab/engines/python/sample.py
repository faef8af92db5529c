"""Times calls on the monotonic clock, and canaries around them.

The canaries are those of lab/src/canary.rs as far as an interpreter has them: a loop that takes a
known time, and the system's count of interruptions. A chain of additions would tell nothing of the
core's cycles here; the laboratory runs its own.
"""

from collections.abc import Callable
from time import perf_counter_ns
from typing import NamedTuple

#: A sample lasts at least so many nanoseconds, and so long the work is done untimed first.
SAMPLE = 15_000
WARM = 50_000_000


def _overhead() -> int:
    least = 1 << 60
    for _ in range(10_000):
        start = perf_counter_ns()
        least = min(least, perf_counter_ns() - start)
    return least


_OVERHEAD = _overhead()

#: Steps of the loop, and each figure is the least of so many.
STEPS = 500
TRIES = 3


def load() -> int:
    """Nanoseconds of a loop of ordinary work."""
    least = 1 << 60
    for _ in range(TRIES):
        word = 1
        start = perf_counter_ns()
        for _ in range(STEPS):
            word = (word ^ (word >> 29)) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
        least = min(least, perf_counter_ns() - start - _OVERHEAD)
    return max(least, 1)


def turns() -> int | None:
    """How often this thread was put on a CPU, where the system tells (proc_pid_schedstat(5))."""
    try:
        with open("/proc/thread-self/schedstat") as file:
            return int(file.read().split()[2])
    except (OSError, ValueError, IndexError):
        return None


class Series(NamedTuple):
    """The calls a sample, the samples, the loop before and after, and the interruptions."""

    repeats: int
    samples: list[int]
    load: tuple[int, int]
    switches: int | None


def _time(run: Callable[[int], None], repeats: int) -> int:
    start = perf_counter_ns()
    run(repeats)
    return max(perf_counter_ns() - start - _OVERHEAD, 1)


def _least(run: Callable[[int], None], repeats: int) -> int:
    """The least of three, of long work one: an interruption must not pass for work."""
    least = _time(run, repeats)
    for _ in range(2 if least < 1000 * SAMPLE else 0):
        least = min(least, _time(run, repeats))
    return least


def take(run: Callable[[int], None], unit: int, samples: int, budget: int) -> Series:
    """A series of samples; each has a multiple of `unit` calls."""
    start = perf_counter_ns()
    while perf_counter_ns() - start < WARM:
        run(unit)
    repeats, ticks = unit, _least(run, unit)
    while ticks < SAMPLE:
        wanted = int(repeats * 1.1 * SAMPLE / ticks)
        repeats = min(max(wanted, repeats + 1), 8 * repeats)
        repeats = -(-repeats // unit) * unit
        ticks = _least(run, repeats)
    if budget:
        samples = max(min(samples, budget * 1000 // ticks), 3)
        samples -= 1 - samples % 2
    before, turned = load(), turns()
    taken = [_time(run, repeats) for _ in range(samples)]
    now = turns()
    switches = None if turned is None or now is None else now - turned
    return Series(repeats, taken, (before, load()), switches)
