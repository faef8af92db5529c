"""What `sqlite.md` says of `sqlite_pages.py`, tried: python3 sqlite_try.py"""

import os
import pathlib
import random
import shutil
import sqlite3
import time

import apsw
from sqlite_pages import PAGE, SLOT, SealedVFS

KEY = os.urandom(16)
STEP = SLOT + 4
vfs = SealedVFS("sealed", KEY)


def sealed(name):
    connection = apsw.Connection(name, vfs="sealed")
    connection.execute("PRAGMA temp_store=MEMORY")
    return connection


def statements(seed, count):
    """The same changes for two databases: rows come, change and go, in transactions of which some are
    taken back, and the file grows and shrinks."""
    rng = random.Random(seed)
    yield "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, note BLOB)", ()
    yield "CREATE INDEX by_name ON person(name)", ()
    for _ in range(count):
        yield "BEGIN", ()
        for _ in range(rng.randrange(1, 60)):
            id, name = rng.randrange(400), f"name {rng.randrange(100)}"
            note = rng.randbytes(rng.randrange(0, 9000))
            yield rng.choice(
                [
                    ("INSERT OR REPLACE INTO person VALUES(?, ?, ?)", (id, name, note)),
                    ("UPDATE person SET note=? WHERE name=?", (note[:100], name)),
                    ("DELETE FROM person WHERE id=?", (id,)),
                ]
            )
        yield rng.choice(["COMMIT", "COMMIT", "ROLLBACK"]), ()
        if rng.random() < 0.1:
            yield "VACUUM", ()


def same_as_plain():
    compared = 0
    for seed in range(8):
        ours, plain = sealed(f"same{seed}.db"), sqlite3.connect(":memory:", isolation_level=None)
        for number, (text, values) in enumerate(statements(seed, 12)):
            ours.execute(text, values)
            plain.execute(text, values)
            if text in ("COMMIT", "ROLLBACK"):
                query = "SELECT * FROM person ORDER BY id"
                rows = list(ours.execute(query))
                assert rows == plain.execute(query).fetchall(), (seed, number)
                compared += 1
        ours.close()
        again = sealed(f"same{seed}.db")
        assert list(again.execute(query)) == rows
        assert again.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        again.close()
    print(f"{compared} states as in a plain database, all of them again after closing")


def made(name, rows=300):
    connection = sealed(name)
    connection.execute("CREATE TABLE secret(id INTEGER PRIMARY KEY, text TEXT)")
    with connection:
        connection.executemany(
            "INSERT INTO secret VALUES(?, ?)", ((i, f"account number {i} " * 9) for i in range(rows))
        )
    connection.close()
    return pathlib.Path(name)


def refused(data, what):
    """Whether a database of those bytes is refused when all of it is read."""
    path = pathlib.Path("changed.db")
    path.write_bytes(data)
    connection = None
    try:
        connection = sealed("changed.db")
        rows = connection.execute("SELECT * FROM secret").fetchall()
        check = connection.execute("PRAGMA integrity_check").fetchall()
    except (apsw.CorruptError, apsw.IOError, apsw.NotADBError):
        return 1
    finally:
        if connection:
            connection.close()
    raise SystemExit(f"{what} was not noticed: {len(rows)} rows, {check}")


def changes_are_refused():
    path = made("base.db")
    data = path.read_bytes()
    pages = len(data) // STEP
    assert pages > 10 and len(data) == pages * STEP
    assert b"account" not in data and b"SQLite" not in data
    rng, bits, swaps = random.Random(1), 0, 0
    for number in range(pages):
        # In the nonce, the page, the tag and the length.
        for lo, hi in [(0, 12), (12, 12 + PAGE), (12 + PAGE, SLOT), (SLOT, STEP)]:
            for _ in range(3):
                other = bytearray(data)
                other[number * STEP + rng.randrange(lo, hi)] ^= 1 << rng.randrange(8)
                bits += refused(bytes(other), f"a bit in page {number}")
    print(f"{bits} changed bits in {pages} pages refused")
    cut = [data[i * STEP : (i + 1) * STEP] for i in range(pages)]
    for one in range(pages):
        for other in range(one):
            order = list(cut)
            order[one], order[other] = cut[other], cut[one]
            swaps += refused(b"".join(order), f"pages {one} and {other} exchanged")
    print(f"{swaps} exchanges of two pages refused")
    # After each page, and within it.
    ends = [refused(data[:end], f"{end} bytes") for end in range(STEP, len(data), STEP // 4)]
    print(f"{sum(ends)} files that are cut off refused")
    other_key = SealedVFS("another", os.urandom(16))
    try:
        another = apsw.Connection("base.db", vfs="another")
        another.execute("SELECT * FROM secret").fetchall()
        raise SystemExit(f"{other_key} opened it")
    except apsw.CorruptError:
        print("another key refused")


def journal_is_sealed():
    """A transaction that is not ended leaves a journal, of which the next connection restores."""
    made("crash.db")
    child = os.fork()
    if child == 0:
        connection = sealed("crash.db")
        connection.execute("PRAGMA cache_size=5")
        connection.execute("BEGIN")
        connection.execute("UPDATE secret SET text = 'overwritten ' || id")
        os._exit(0)
    os.waitpid(child, 0)
    journal = pathlib.Path("crash.db-journal").read_bytes()
    assert len(journal) > STEP and b"account" not in journal and b"overwritten" not in journal
    shutil.copy("crash.db", "worse.db")
    worse = bytearray(journal)
    worse[STEP + 100] ^= 1
    pathlib.Path("worse.db-journal").write_bytes(worse)
    connection = sealed("worse.db")
    try:
        connection.execute("SELECT count(*) FROM secret").fetchall()
        raise SystemExit("a changed journal was restored from")
    except (apsw.CorruptError, apsw.IOError):
        pass
    connection.close()
    connection = sealed("crash.db")
    rows = connection.execute("SELECT * FROM secret").fetchall()
    assert rows == [(i, f"account number {i} " * 9) for i in range(300)]
    connection.close()
    print("a sealed journal restored from, a changed one refused")


def figures():
    def timed(connection):
        began = time.perf_counter()
        connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, x BLOB)")
        with connection:
            for i in range(100_000):
                connection.execute("INSERT INTO t VALUES(?, ?)", (i, b"x" * 100))
        wrote = time.perf_counter() - began
        began = time.perf_counter()
        rng = random.Random(5)
        for _ in range(20_000):
            connection.execute("SELECT x FROM t WHERE id=?", (rng.randrange(100_000),)).fetchall()
        return wrote, time.perf_counter() - began

    for name, vfs_name in [("plain", apsw.vfs_names()[0]), ("sealed", "sealed")]:
        pathlib.Path("figures.db").unlink(missing_ok=True)
        connection = apsw.Connection("figures.db", vfs=vfs_name)
        connection.execute("PRAGMA cache_size=100")
        wrote, read = timed(connection)
        connection.close()
        print(f"{name}: 100 000 rows written in {wrote:.2f} s, 20 000 read in {read:.2f} s")


if __name__ == "__main__":
    import sys

    if sys.argv[1:] == ["--figures"]:
        figures()
    else:
        same_as_plain()
        changes_are_refused()
        journal_is_sealed()
