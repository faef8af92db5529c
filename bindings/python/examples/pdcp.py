"""PDUs of PDCP (TS 38.323) in batches, step by step: run it, or read it from the top.

COUNT is made of the hyper frame number and the sequence number, the tag covers header and data
(clause 5.9), and then data and tag are encrypted (clause 5.8). The header is that of a data radio
bearer with sequence numbers of 18 bits (clause 6.2.2.3).

    python bindings/python/examples/pdcp.py
"""

from __future__ import annotations

from array import array
from hmac import compare_digest
from itertools import accumulate, chain

from cipherlane import Batch, air

HEADER, TAG, SEQUENCE_BITS = 3, 4, 18
BEARER, DIRECTION = 3, air.Direction.DOWNLINK
PAIRS = [("snow3g", "nea1", "nia1"), ("aes-128", "nea2", "nia2"), ("zuc-128", "eea3", "eia3")]


def header(count: int) -> bytes:
    """D/C = 1 for data, five reserved bits, the sequence number."""
    sequence = count % (1 << SEQUENCE_BITS)
    return (1 << 23 | sequence).to_bytes(HEADER, "big")


def offsets(messages: list[bytes]) -> array[int]:
    """Where messages that lie one behind the other begin, and where the last one ends."""
    return array("q", chain([0], accumulate(map(len, messages))))


def ivs(operation: str, counts: list[int]) -> bytes:
    """The IV of every COUNT, one behind the other."""
    return b"".join(air.iv(operation, count, BEARER, DIRECTION) for count in counts)


def tags(batch: Batch, operation: str, counts: list[int], messages: list[bytes]) -> list[bytes]:
    """One call for all messages."""
    made = bytearray(TAG * len(messages))
    data = b"".join(messages)
    batch.apply(data, offsets(messages), ivs=ivs(operation, counts), tags=made)
    return [bytes(made[at : at + TAG]) for at in range(0, len(made), TAG)]


def crypt(batch: Batch, operation: str, counts: list[int], messages: list[bytes]) -> list[bytes]:
    """One call for all messages; encryption and decryption are the same."""
    places, data = offsets(messages), b"".join(messages)
    out = bytearray(len(data))
    batch.apply(data, places, ivs=ivs(operation, counts), out=out)
    return [bytes(out[begin:end]) for begin, end in zip(places, places[1:], strict=False)]


def main() -> None:
    """64 PDUs there and back, one of them changed on its way."""
    first = (5 << SEQUENCE_BITS) + (1 << SEQUENCE_BITS) - 32  # the sequence begins anew inside
    counts = [first + number for number in range(64)]
    sdus = [bytes([number]) * [40, 576, 1500][number % 3] for number in range(64)]
    headers = [header(count) for count in counts]
    encryption_key, integrity_key = bytes(range(16)), bytes(range(16, 32))
    for algorithm, encryption, integrity in PAIRS:
        cipher = Batch(algorithm, encryption, [encryption_key])
        mac = Batch(algorithm, integrity, [integrity_key])
        # The sender: a tag over header and data, then both data and tag are encrypted.
        plain = [head + sdu for head, sdu in zip(headers, sdus, strict=True)]
        both = zip(sdus, tags(mac, integrity, counts, plain), strict=True)
        sent = crypt(cipher, encryption, counts, [sdu + tag for sdu, tag in both])
        # On its way.
        sent[7] = bytes([sent[7][0] ^ 1]) + sent[7][1:]
        # The receiver.
        opened = crypt(cipher, encryption, counts, sent)
        plain = [head + it[:-TAG] for head, it in zip(headers, opened, strict=True)]
        made = tags(mac, integrity, counts, plain)
        right = [compare_digest(it[-TAG:], tag) for it, tag in zip(opened, made, strict=True)]
        assert [number for number, it in enumerate(right) if not it] == [7]
        assert all(opened[number][:-TAG] == sdus[number] for number in range(64) if right[number])
        print(f"{encryption} and {integrity}: {sum(right)} of {len(right)} PDUs are right")


if __name__ == "__main__":
    main()
