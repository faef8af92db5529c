"""An SQLite whose files hold nothing but sealed pages: a VFS of apsw over cipherlane's AEADs.

    vfs = SealedVFS("sealed", key)
    connection = apsw.Connection("accounts.db", vfs="sealed")

Databases and journals alike: 4096 bytes each under SM4-GCM-SIV with a nonce that is drawn for every
writing, the number of the page and the sort of the file in the associated data. A page that was changed,
exchanged with another one or taken from a journal is refused; that a page or a whole file is an older one
of its place is not noticed, and a page cut off at the end is by SQLite alone. One key a database. No WAL:
apsw has no shared memory for files of others (`PRAGMA journal_mode=WAL` answers `delete`).
"""

import os
import struct

import apsw
from cipherlane import exceptions
from cipherlane.aead import SM4GCMSIV

PAGE = 4096
NONCE, TAG = 12, 16
SLOT = NONCE + PAGE + TAG


class SealedFile(apsw.VFSFile):
    """Bytes 0, 1, … as SQLite sees them; slots of `SLOT` bytes, and a length behind, on the disk.

    A file's length need not be whole pages (journals are not). The last slot is filled up with zeros, and
    the length of what is in it stands under the seal, so that it can't be changed alone.
    """

    def __init__(self, vfs, name, flags, aead):
        self.aead = aead
        kinds = apsw.SQLITE_OPEN_MAIN_DB, apsw.SQLITE_OPEN_MAIN_JOURNAL
        self.kind = next((kind for kind in kinds if flags[0] & kind), 0)
        super().__init__(vfs, name, flags)

    def aad(self, number, length):
        return struct.pack(">IQI", self.kind, number, length)

    def slots(self):
        size = super().xFileSize()
        whole, rest = divmod(size, SLOT + 4)
        if rest:
            raise apsw.CorruptError(f"{size} bytes are no whole pages of {SLOT + 4}")
        return whole

    def page(self, number):
        """What is in a page, opened; raises if it is not what was written there."""
        place = number * (SLOT + 4)
        slot = super().xRead(SLOT + 4, place)
        length = int.from_bytes(slot[SLOT:], "big")
        nonce, sealed = slot[:NONCE], slot[NONCE:SLOT]
        try:
            return self.aead.decrypt(nonce, sealed, self.aad(number, length))[:length]
        except exceptions.InvalidTag:
            raise apsw.CorruptError(f"page {number + 1} was changed or is of another place") from None

    def seal(self, number, data):
        length = len(data)
        nonce = os.urandom(NONCE)
        sealed = self.aead.encrypt(nonce, data.ljust(PAGE, b"\0"), self.aad(number, length))
        slot = nonce + sealed + length.to_bytes(4, "big")
        super().xWrite(slot, number * (SLOT + 4))

    def xFileSize(self):
        slots = self.slots()
        return (slots - 1) * PAGE + len(self.page(slots - 1)) if slots else 0

    def xRead(self, amount, offset):
        slots, found = self.slots(), []
        for number in range(offset // PAGE, min(slots, (offset + amount - 1) // PAGE + 1)):
            found.append(self.page(number))
        start = offset % PAGE
        return b"".join(found)[start : start + amount]

    def xWrite(self, data, offset):
        slots = self.slots()
        for number in range(slots, offset // PAGE):
            # SQLite may write behind the end: what is between is zeros.
            self.seal(number, bytes(PAGE))
        if slots and slots - 1 < offset // PAGE and len(last := self.page(slots - 1)) < PAGE:
            self.seal(slots - 1, last.ljust(PAGE, b"\0"))
        data = bytes(data)
        while data:
            number, start = divmod(offset, PAGE)
            part, data = data[: PAGE - start], data[PAGE - start :]
            offset += len(part)
            old = self.page(number) if len(part) < PAGE and number < slots else b""
            old = old.ljust(start, b"\0")
            self.seal(number, old[:start] + part + old[start + len(part) :])

    def xTruncate(self, size):
        number, rest = divmod(size, PAGE)
        kept = self.page(number)[:rest] if rest else b""
        super().xTruncate(number * (SLOT + 4))
        if rest:
            self.seal(number, kept)


class SealedVFS(apsw.VFS):
    """Opens files that are sealed under a key of 16 bytes."""

    def __init__(self, name, key):
        self.aead, self.base = SM4GCMSIV(key), ""
        super().__init__(name, self.base)

    def xOpen(self, name, flags):
        return SealedFile(self.base, name, flags, self.aead)
