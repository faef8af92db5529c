"""A reader of encrypted files of Cipherlane, from docs/FORMAT.md and the standards that it names alone.

    python3 second_reader.py KEYFILE FILE > PLAINTEXT
    python3 second_reader.py --vectors ../crates/container/tests/files.json
    python3 second_reader.py

The first reads one file. KEYFILE is what `cipherlane keygen` wrote, or a passphrase in its first line if the
file asks for one. The second compares published vectors. The last answers the fuzz target `second_reader`: on
standard input a length of 4 bytes, big endian, and so many bytes, a master key of 32 and the file; on standard
output `R`, refused, or `P`, a length of 4 bytes and the plaintext. It begins with an `R` of its own.

It takes a file whole, is slow at suite 4 and not constant-time: an example and a witness, not a tool. Clauses
that comments name are headings of docs/FORMAT.md.
"""

import collections
import functools
import hashlib
import hmac
import json
import pathlib
import re
import struct
import sys

REMEDY = "install Python 3.9 or later with `pip install cryptography`, whose OpenSSL has SM3 and SM4-GCM"
try:
    from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    hashlib.new("sm3")
    Cipher(algorithms.SM4(bytes(16)), modes.GCM(bytes(12))).decryptor()
except ImportError as error:
    print(f"{error}: {REMEDY}", file=sys.stderr)
    sys.exit(3)
except (AttributeError, ValueError, UnsupportedAlgorithm) as error:
    print(f"{error}: {REMEDY}", file=sys.stderr)
    sys.exit(3)

TAG = 16


class Refused(Exception):
    """A file that is none of the format, or not under this key."""


# ZUC-128 (TS 35.222, GM/T 0001.1) and GXM over it (GM/T 0001.4).

S0 = bytes.fromhex(
    "3e725b47cae0003304d1549809b96dcb7b1bf932af9d6aa5b82dfc1d085303904d4e8499e4ced991ddb685488b296eac"
    "cdc1f81e734369c6b5bdfd396320d438767db2a7cfed57c5f32cbb142106559be3ef5e314f7f5aa40d8251495fba581c"
    "4a16d517a892241f8cffd8ae2e01d3ad3b4bda46ebc9de9a8f87d73a806f2fc8b1b437f70a2213287ccc3c89c7c39656"
    "07bf7ef00b2b975235417961a64c10febc2695888ab0a3fbc01894f2e1e5e95dd0dc1166645cec59427512f5749caa23"
    "0e86abbe2a02e767e644a26cc2939ff1f6fa36d250689e6271153dd640c4e20f8e83776b25053f0c30ea70b7a1e8a965"
    "8d271adb81b3a0f4457a19dfee783460"
)
S1 = bytes.fromhex(
    "55c263713bc847869f3cda5b29aafd778cc5940ca61a1300e3a8167240f9f8424426689681d9453e1076c6a78b3943e1"
    "3ab5562ac06db3052266bfdc0bfa6248dd20110636c9c1cff62752bb69f5d4877f844cd29c57a4bc4f9adffed68d7aeb"
    "2b53d85ca11417fb23d57d3067730809eeb7703f61b2198e4ee54b938f5ddba9adf1ae2ecb0dfcf42d466e1d97e8d1e9"
    "4d37a5755e839eab829db91ce0cd498901b6bd5824a25f387899159050b895e4d091c7ceed0fb46fa0ccf0024a79c3de"
    "a3efea51e66b18ec1b2c80f774e7ff215a6a541e41319235c433070aba7e0e3488b1987cf33d606c7bcad31f32650428"
    "64be859b2f598ad7b025acaf1203e2f2"
)
D = bytes.fromhex("44d726bc626b135e578935e2713509af4d782f136bc41af15e263c4d789a47ac")
P = (1 << 31) - 1
M = (1 << 32) - 1


def rotated(word, by):
    return (word << by | word >> (32 - by)) & M


def substituted(word):
    return S0[word >> 24] << 24 | S1[word >> 16 & 255] << 16 | S0[word >> 8 & 255] << 8 | S1[word & 255]


def zuc(key, iv, length):
    """The first bytes of the keystream."""
    cells = collections.deque(
        key[i] << 23 | int.from_bytes(D[2 * i : 2 * i + 2], "big") << 8 | iv[i] for i in range(16)
    )
    r1 = r2 = 0
    words = []
    # 32 rounds that feed W back, one whose word nobody sees, and the keystream.
    for i in range(33 + (length + 3) // 4):
        s = tuple(cells)
        w = ((s[15] >> 15 << 16 | s[14] & 0xFFFF) ^ r1) + r2 & M
        w1 = r1 + ((s[11] & 0xFFFF) << 16 | s[9] >> 15) & M
        w2 = r2 ^ ((s[7] & 0xFFFF) << 16 | s[5] >> 15)
        if i > 32:
            words.append(w ^ ((s[2] & 0xFFFF) << 16 | s[0] >> 15))
        u = (w1 << 16 | w2 >> 16) & M
        r1 = substituted(u ^ rotated(u, 2) ^ rotated(u, 10) ^ rotated(u, 18) ^ rotated(u, 24))
        u = (w2 << 16 | w1 >> 16) & M
        r2 = substituted(u ^ rotated(u, 8) ^ rotated(u, 14) ^ rotated(u, 22) ^ rotated(u, 30))
        v = (s[15] << 15) + (s[13] << 17) + (s[10] << 21) + (s[4] << 20) + (s[0] << 8) + s[0]
        cells.popleft()
        # A cell is never 0: that is 2³¹ - 1.
        cells.append((v + (w >> 1 if i < 32 else 0)) % P or P)
    return struct.pack(f">{len(words)}I", *words)[:length]


def times_h(h):
    """The products of H with every byte at the first place of a block, and with x⁸ (NIST SP 800-38D, 6.3)."""
    powers = [h]
    for _ in range(7):
        last = powers[-1]
        powers.append(last >> 1 ^ (last & 1) * (0xE1 << 120))
    return [
        functools.reduce(lambda sum, bit: sum ^ (powers[7 - bit] if byte >> bit & 1 else 0), range(8), 0)
        for byte in range(256)
    ]


# What the last 8 bits of a block become where it goes 8 places on.
REDUCED = []
for _byte in range(256):
    for _ in range(8):
        _byte = _byte >> 1 ^ (_byte & 1) * (0xE1 << 120)
    REDUCED.append(_byte)


def ghash(h, blocks):
    table = times_h(int.from_bytes(h, "big"))
    y = 0
    for at in range(0, len(blocks), 16):
        y ^= int.from_bytes(blocks[at : at + 16], "big")
        product = 0
        for place in range(16):
            # Horner's rule, from the last byte on.
            product = product >> 8 ^ REDUCED[product & 255] ^ table[y >> 8 * place & 255]
        y = product
    return y.to_bytes(16, "big")


def xor(a, b):
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).to_bytes(len(a), "big")


def open_gxm(key, nonce, text, tag):
    subkeys = zuc(key, bytes(16), 32)
    stream = zuc(subkeys[16:], nonce, TAG + len(text))
    blocks = text + bytes(-len(text) % 16) + bytes(8) + (8 * len(text)).to_bytes(8, "big")
    if not hmac.compare_digest(tag, xor(stream[:TAG], ghash(subkeys[:16], blocks))):
        raise Refused("a chunk's tag is wrong")
    return xor(text, stream[TAG:])


def open_gcm(cipher, key, nonce, text, tag):
    context = Cipher(cipher(key), modes.GCM(nonce, tag)).decryptor()
    try:
        return context.update(text) + context.finalize()
    except InvalidTag:
        raise Refused("a chunk's tag is wrong") from None


# "Header": the suites, and the ranges of the numbers of each KDF.

Suite = collections.namedtuple("Suite", "open key nonce hash")
SUITES = {
    1: Suite(functools.partial(open_gcm, algorithms.SM4), 16, 12, "sm3"),
    2: Suite(functools.partial(open_gcm, algorithms.AES), 16, 12, "sha256"),
    3: Suite(functools.partial(open_gcm, algorithms.AES), 32, 12, "sha256"),
    4: Suite(open_gxm, 16, 16, "sm3"),
}
KDFS = {
    0: ((0, 0), (0, 0), (0, 0)),
    1: ((8192, 2_097_152), (1, 64), (1, 64)),
    2: ((1000, 100_000_000), (0, 0), (0, 0)),
}
HEADER = 88
Header = collections.namedtuple("Header", "suite chunk kdf numbers salt signed mac")


def header(file):
    """The fields of a header, each in its range."""
    if len(file) < HEADER:
        raise Refused("shorter than a header")
    signature, version, suite, bits, kdf, *numbers, salt, mac = struct.unpack(">8s4B3I32s32s", file[:HEADER])
    if signature != b"\x89CLANE\r\n" or version != 1:
        raise Refused("no file of this format and version")
    if suite not in SUITES or not 12 <= bits <= 24 or kdf not in KDFS:
        raise Refused("a suite, chunk length or KDF that there is not")
    if not all(low <= number <= high for number, (low, high) in zip(numbers, KDFS[kdf])):
        raise Refused("a number of the KDF beyond its range")
    return Header(SUITES[suite], 1 << bits, kdf, numbers, salt, file[: HEADER - 32], mac)


def stretched(head, passphrase):
    """The master key of a passphrase."""
    if head.kdf == 2:
        return hashlib.pbkdf2_hmac("sm3", passphrase, head.salt, head.numbers[0], 32)
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id  # since version 44

    memory, passes, lanes = head.numbers
    return Argon2id(
        salt=head.salt, length=32, iterations=passes, lanes=lanes, memory_cost=memory
    ).derive(passphrase)


# "Keys".


def hkdf(name, salt, secret, info, length):
    """RFC 5869, 2.2 and 2.3."""
    key = hmac.digest(salt, secret, name)
    block, out = b"", b""
    while len(out) < length:
        block = hmac.digest(key, block + info + bytes([len(out) // 32 + 1]), name)
        out += block
    return out[:length]


def keys(head, master):
    """The key of the chunks, if the header's MAC is right."""
    suite = head.suite
    both = hkdf(suite.hash, head.salt, master, b"cipherlane file 1" + head.signed, 32 + suite.key)
    if not hmac.compare_digest(hmac.digest(both[:32], head.signed, suite.hash), head.mac):
        raise Refused("the header's MAC is wrong")
    return both[32:]


# "Chunks".


def plaintext(file, head, key):
    body, whole = file[HEADER:], head.chunk + TAG
    chunks = max(1, -(-len(body) // whole))
    last = len(body) - (chunks - 1) * whole
    # An empty last chunk is that of an empty file.
    if last < TAG or (last == TAG and chunks > 1) or chunks > 1 << 32:
        raise Refused("a length that no file has")
    out = []
    for number in range(chunks):
        sealed = body[number * whole : (number + 1) * whole]
        end = number + 1 == chunks
        nonce = (number.to_bytes(8, "big") + bytes([end])).rjust(head.suite.nonce, b"\0")
        out.append(head.suite.open(key, nonce, sealed[:-TAG], sealed[-TAG:]))
    return b"".join(out)


def read(file, master):
    head = header(file)
    return plaintext(file, head, keys(head, master))


# Ways of calling it.


def serve(source, sink):
    # So that nobody writes to a reader that could not start.
    sink.write(b"R")
    sink.flush()
    while length := source.read(4):
        request = source.read(int.from_bytes(length, "big"))
        try:
            text = read(request[32:], request[:32])
            sink.write(b"P" + len(text).to_bytes(4, "big") + text)
        except Refused:
            sink.write(b"R")
        sink.flush()


def vectors(path):
    tests = json.loads(pathlib.Path(path).read_text())["tests"]
    wrong = 0
    for test in tests:
        file, wanted = bytes.fromhex(test["file"]), bytes.fromhex(test["plain"])
        try:
            head = header(file)
            phrase = test.get("passphrase")
            master = bytes.fromhex(test["key"]) if phrase is None else stretched(head, bytes.fromhex(phrase))
            said = "ok" if read(file, master) == wanted else "WRONG: other bytes"
        except Refused as refusal:
            said = f"WRONG: {refusal}"
        # A byte that changed anywhere, and one that is missing, are refused.
        for bad in [file[:at] + bytes([file[at] ^ 1]) + file[at + 1 :] for at in range(HEADER + TAG)] + [file[:-1]]:
            try:
                read(bad, master)
                said = "WRONG: a changed file opens"
            except Refused:
                pass
        wrong += said != "ok"
        print(f"{test['id']}: {said}")
    print(f"{len(tests)} vectors, {wrong} wrong")
    return 1 if wrong or not tests else 0


def main(arguments):
    if not arguments:
        serve(sys.stdin.buffer, sys.stdout.buffer)
        return 0
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    if arguments[0] == "--vectors":
        return vectors(arguments[1])
    text, file = (pathlib.Path(path).read_bytes() for path in arguments)
    try:
        head = header(file)
        if head.kdf == 0:
            digits = re.fullmatch(rb"cipherlane-key-1:([0-9a-fA-F]{64})", text.strip())
            if digits is None:
                raise Refused("the key file holds no key as `cipherlane keygen` writes it")
            master = bytes.fromhex(digits[1].decode())
        else:
            line = text.split(b"\n")[0]
            master = stretched(head, line[:-1] if line.endswith(b"\r") else line)
        # Nothing is written before the last chunk opened.
        sys.stdout.buffer.write(plaintext(file, head, keys(head, master)))
    except Refused as refusal:
        print(f"refused: {refusal}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
