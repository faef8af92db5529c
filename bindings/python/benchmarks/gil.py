"""What it costs to give the interpreter's lock away and take it again.

Calls on 32 KiB and more release the lock (`KEEPS_LOCK` in `src/buffers.rs`): this prints the time
of calls just below and at that length, and what the difference is of the whole. Without another
thread that waits for the lock it is the least that a release can cost.
"""

from time import perf_counter_ns

from cipherlane.aead import AESGCM, SM4GCM

LIMIT = 32768


def least(aead: AESGCM | SM4GCM, size: int) -> float:
    """The least time of a call, in nanoseconds."""
    memory = bytearray(size + 16)
    data, best = memoryview(memory)[:size], 1 << 60
    for turn in range(300):
        nonces = [(turn * 100 + call).to_bytes(12, "big") for call in range(100)]
        start = perf_counter_ns()
        for nonce in nonces:
            aead.encrypt_into(nonce, data, None, memory)
        best = min(best, perf_counter_ns() - start)
    return best / 100


for kind in (AESGCM, SM4GCM):
    below, at = least(kind(bytes(16)), LIMIT - 16), least(kind(bytes(16)), LIMIT)
    print(
        f"{kind.__name__}: {LIMIT - 16} bytes {below:.0f} ns with the lock, {LIMIT} bytes {at:.0f} ns"
        f" without: {100 * (at - below) / at:.1f} % more"
    )
