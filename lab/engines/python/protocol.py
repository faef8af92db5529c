"""The lines of the protocol: a word and fields, as docs/METHOD.md of Cipherlane describes."""

import re


class Wrong(Exception):
    """What a request asks that is not understood."""


class Refusal(Exception):
    """What the library can't do."""


def _unescape(text: str) -> str:
    if re.search(r"%(?![0-9A-Fa-f]{2})", text):
        raise Wrong(f"a broken escape in `{text}`")
    raw = re.sub(rb"%(..)", lambda it: bytes([int(it[1], 16)]), text.encode())
    return raw.decode(errors="replace")


def field(key: str, value: object) -> str:
    """One field as it is written: the characters 0 to 32, % and 127 are escaped."""
    text = re.sub(r"[\x00-\x20%\x7f]", lambda it: f"%{ord(it[0]):02X}", str(value))
    return f" {key}={text}"


class Line:
    """A request."""

    def __init__(self, text: str) -> None:
        words = text.split()
        if not words:
            raise Wrong("an empty line")
        self.word, self.fields = words[0], dict[str, str]()
        for word in words[1:]:
            key, equals, value = word.partition("=")
            if not equals:
                raise Wrong(f"`{word}` is no key=value")
            if key in self.fields:
                raise Wrong(f"the key `{key}` stands twice")
            self.fields[key] = _unescape(value)

    def text(self, key: str, usual: str) -> str:
        return self.fields.get(key, usual)

    def number(self, key: str, usual: int, least: int, most: int) -> int:
        text = self.fields.get(key)
        if text is None:
            return usual
        if text.isascii() and text.isdigit() and least <= int(text) <= most:
            return int(text)
        raise Wrong(f"`{key}` is `{text}`; allowed: {least} to {most}")

    def only(self, known: list[str]) -> None:
        for key in self.fields:
            if key not in known:
                raise Wrong(f"unknown key `{key}`; known: {', '.join(known)}")
