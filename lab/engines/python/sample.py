"""Times calls on the monotonic clock."""

from collections.abc import Callable
from time import perf_counter_ns

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


def take(
    run: Callable[[int], None], unit: int, samples: int, budget: int
) -> tuple[int, list[int]]:
    """The calls a sample, and a series of samples; each has a multiple of `unit` calls."""
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
    return repeats, [_time(run, repeats) for _ in range(samples)]
