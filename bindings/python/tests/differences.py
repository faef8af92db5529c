"""Where this package and ``cryptography`` may differ, each with its reason.

A call that no rule allows must give the same result, or raise an exception of the same name.
"""

from collections.abc import Callable
from dataclasses import dataclass

from sequences import Sequence, Told, raised


@dataclass(frozen=True)
class Rule:
    name: str
    reason: str
    allows: Callable[[Sequence, Told], bool]
    #: Whether both objects are in the same state all the same, so that the sequence can go on.
    goes_on: bool = False


def _called(told: Told, *names: str) -> bool:
    return told.call.split("(")[0] in names


def _made(sequence: Sequence) -> bool:
    """Whether this is about making the objects."""
    return len(sequence.told) == 1


def _answers(told: Told, ours: str | None, *theirs: str | None) -> bool:
    """The names of both exceptions; none for a value."""
    return raised(told.ours) == ours and raised(told.theirs) in theirs


def _is_more_keys(sequence: Sequence, told: Told) -> bool:
    more = {"RC2": range(1, 129), "RC4": range(1, 257)}.get(sequence.name, range(0))
    more = range(48, 49) if sequence.mode == "XTS" else more
    return _made(sequence) and told.facts.get("key") in more and _answers(told, None, "ValueError")


RULES = [
    Rule(
        "more lengths of keys",
        "RC2 and RC4 take all that their standards allow, and XTS is there with AES-192, too.",
        _is_more_keys,
    ),
    Rule(
        "AES-192-GCM-SIV",
        "RFC 8452 defines it for keys of 16 and 32 bytes only.",
        lambda sequence, told: sequence.name == "AESGCMSIV"
        and told.facts.get("key") == 24
        and _answers(told, "ValueError", None),
    ),
    Rule(
        "generate_key and its default",
        "Ours gives the shortest key if no length is asked for; theirs wants the length. A length"
        " that is not allowed is a ValueError for both.",
        lambda sequence, told: told.call == "generate_key()" and _answers(told, None, "TypeError"),
    ),
    Rule(
        "AES-192-GCM-SIV, its key",
        "As before.",
        lambda sequence, told: sequence.name == "AESGCMSIV"
        and told.call == "generate_key(192,)"
        and _answers(told, "ValueError", None),
    ),
    Rule(
        "XTS with equal halves, decryption",
        "Ours refuses such keys for both directions, OpenSSL for encryption only.",
        lambda sequence, told: sequence.mode == "XTS"
        and _made(sequence)
        and not sequence.encrypts
        and _answers(told, "ValueError", None),
    ),
    Rule(
        "GCM with min_tag_length above 16",
        "No tag is so long: theirs refuses every tag then, ours the mode.",
        lambda sequence, told: sequence.mode == "GCM"
        and _made(sequence)
        and (told.facts["least"] or 0) > 16
        and _answers(told, "ValueError", None),
    ),
    Rule(
        "GCM tags of 5, 6, 7, 9, 10 or 11 bytes",
        "SP 800-38D has none; theirs takes them where min_tag_length allows.",
        lambda sequence, told: sequence.mode == "GCM"
        and told.facts.get("tag") in (5, 6, 7, 9, 10, 11)
        and _answers(told, "ValueError", None, "InvalidTag"),
    ),
    Rule(
        "reset_nonce, refused by both",
        "Ours looks at the length before anything else.",
        lambda sequence, told: _called(told, "reset_nonce")
        and _answers(told, "ValueError", "UnsupportedAlgorithm", "AlreadyFinalized"),
        goes_on=True,
    ),
    Rule(
        "reset_nonce of every mode, and after the end",
        "Theirs has it for CTR only, and not after finalize. Ours begins another message under the"
        " key that is set up; an AEAD refuses the nonce of the message before.",
        lambda sequence, told: _called(told, "reset_nonce")
        and _answers(told, None, "UnsupportedAlgorithm", "AlreadyFinalized"),
    ),
    Rule(
        "a failed end is an end",
        "Theirs can go on after finalize has raised: a wrong tag can be tried again, and data that"
        " was no whole block can be filled up.",
        lambda sequence, told: sequence.failed_end and raised(told.ours) == "AlreadyFinalized",
    ),
    Rule(
        "less room is enough",
        "Theirs wants room for a block more than what is written.",
        lambda sequence, told: _called(told, "update_into")
        and sequence.block > 1
        and told.facts["room"] < told.facts["length"] + sequence.block - 1
        and _answers(told, None, "ValueError"),
    ),
    Rule(
        "memory that partly overlaps",
        "Ours refuses it; theirs, up to 50.0.2, writes what nobody can read.",
        lambda sequence, told: told.facts.get("way") == "overlap"
        and _answers(told, "ValueError", None),
    ),
    Rule(
        "XTS takes a data unit in one update",
        "A second one under theirs has the same tweak, which tells where two units are equal.",
        lambda sequence, told: sequence.mode == "XTS"
        and bool(told.facts.get("second"))
        and raised(told.ours) == "AlreadyUpdated",
    ),
    Rule(
        "XTS of no data",
        "A data unit has a block or more; theirs lets one of no bytes pass.",
        lambda sequence, told: sequence.mode == "XTS"
        and told.facts.get("length") == 0
        and _answers(told, "ValueError", None),
    ),
    Rule(
        "one class of contexts for both directions",
        "Theirs has no attribute `tag` for decryption; ours says that there is no tag.",
        lambda sequence, told: told.call == "tag"
        and not sequence.encrypts
        and _answers(told, "NotYetFinalized", "AttributeError"),
        goes_on=True,
    ),
    Rule(
        "the nonce of the message before",
        "Ours refuses it unless told otherwise; theirs takes it.",
        lambda sequence, told: bool(told.facts.get("again"))
        and _answers(told, "ValueError", None),
        goes_on=True,
    ),
    Rule(
        "CCM at the limit of its nonce",
        "Theirs finds out in OpenSSL, ours before.",
        lambda sequence, told: sequence.name == "AESCCM"
        and _answers(told, "ValueError", "InternalError"),
        goes_on=True,
    ),
]
