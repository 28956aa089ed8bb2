# SPDX-License-Identifier: BSD-3-Clause
"""test_stats.py WAY: what upcrun --stats counts of known.upc and libraries.upc, whose traffic can be counted by reading, in
a job of each way: smp, sixteen (UPC threads), debug (the debug library), pthreads, messages (no memory of other processes
is mapped), plain (known.upc without --stats), mpi.openmpi, mpi.mpich, hosts (two, inside tests/hosts/with_hosts.sh)."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from support import UPCRUN, compile_upc, lines_of, run

WAY = sys.argv.pop()
THREADS = 16 if WAY == "sixteen" else 4
ROWS = 45 + (THREADS if THREADS > 4 else 0)  # of the summary; most threads' is the picture of the accesses
HAS_OWN_TRANSFERS = WAY.startswith("mpi.") or WAY == "hosts"  # the conduit has puts and gets that are no messages


def job_of(way):
    """Options of upcrun, environment, and the reach of a neighbour's memory."""
    if way == "pthreads":
        return ["--pthreads", "2"], {}, "mapped"
    if way in ("messages", "plain"):
        return [], {"UPCR_PSHM": "no"}, "remote"
    if way.startswith("mpi."):
        return ["--conduit", "mpi"], {"UPCR_MPI_LIBRARY": way[4:], "UPCR_PSHM": "no"}, "remote"
    if way == "hosts":
        options = ["--conduit", "ofi", "-H", "h1:2,h2:2", "--rsh", os.environ["HOSTS_AGENT"]]
        return options, {"UPCR_PSHM": "no"}, "remote"
    return [], {}, "mapped"


def run_known(folder, way, name="known.upc", arguments=()):
    result = os.path.join(folder, "stats.json")
    options, variables, _ = job_of(way)
    program = compile_upc(folder, name, *{"pthreads": ["--pthreads"], "debug": ["-g"]}.get(way, []),
                          *([] if way == "plain" else ["--stats"]))
    done = run([UPCRUN, "-n", str(THREADS), "--timeout", "100", f"--stats={result}", *options, program, *arguments],
               variables)
    with open(result, encoding="utf-8") as file:
        return done, json.load(file)


class Counted(unittest.TestCase):
    """A job of `program`, and what was counted of it."""
    program = "known.upc"
    arguments = ()

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.done, cls.stats = run_known(folder, WAY, cls.program, [a.format(folder=folder) for a in cls.arguments])
        cls.lines = lines_of(cls.program)
        cls.reach = job_of(WAY)[2]

    def kind(self, name):
        return next((k for k in self.stats["kinds"] if k["kind"] == name), {"count": 0})

    def at(self, line, kind, operations=None):
        found = [o for o in (operations or self.stats["lines"])
                 if o.get("line") == self.lines[line] and o["kind"] == kind]
        self.assertEqual(len(found), 1, f"{line}: {found}")
        return found[0]

    def check(self, found, count, size=None, reach=None):
        self.assertEqual(found["count"], count, found)
        if size is not None:
            self.assertEqual(found["bytes"], count * size, found)
            bucket = 1 << (size.bit_length() - 1)
            self.assertEqual(found["sizes"], {str(bucket): count}, found)
        if reach is not None:
            self.assertEqual({k: found[k] for k in ("local", "mapped", "remote") if k in found}, {reach: count})


class Known(Counted):
    def test_job(self):
        self.assertEqual(self.stats["threads_of_job"], THREADS)
        self.assertTrue(self.stats["complete"])
        self.assertEqual([t["thread"] for t in self.stats["threads"]], list(range(THREADS)))
        self.assertEqual(self.done.stdout, "0\n")

    def test_sums(self):
        """Kinds and lines are the sums of the threads' operations."""
        for key in ("count", "bytes", "ns", "waited_ns"):
            total = sum(o.get(key, 0) for t in self.stats["threads"] for o in t["operations"])
            self.assertEqual(sum(o.get(key, 0) for o in self.stats["kinds"]), total)
            self.assertEqual(sum(o.get(key, 0) for o in self.stats["lines"]), total)

    def test_times(self):
        """Times of short accesses are those of a sample, scaled, so that an interruption in it counts many times: one of three
        jobs has none."""
        def longest(stats):
            return max(sum(o.get("ns", 0) for o in t["operations"]) / t["ns"] for t in stats["threads"])

        shares = [longest(self.stats)]
        while min(shares) > 1.01 and len(shares) < 3:
            with tempfile.TemporaryDirectory() as folder:
                arguments = [a.format(folder=folder) for a in self.arguments]
                shares.append(longest(run_known(folder, WAY, self.program, arguments)[1]))
        self.assertLessEqual(min(shares), 1.01, shares)
        for thread in self.stats["threads"]:
            for operation in thread["operations"]:
                self.assertLessEqual(operation.get("waited_ns", 0), operation.get("ns", 0) + 1)

    def test_summary(self):
        text = self.done.stderr
        self.assertIn(f"== upcr statistics: known, {THREADS} UPC threads, ", text)
        for part in ("where time goes", "costliest lines", "barriers: who waits least arrives last",
                     "locks: how long they were held, and waited for", "accesses: rows"):
            self.assertIn(part, text)
        self.assertLess(len(text.splitlines()), ROWS)


class Instrumented(Known):
    def test_hosts(self):
        hosts = ["h1", "h1", "h2", "h2"] if WAY == "hosts" else [os.uname().nodename] * THREADS
        self.assertEqual([t["host"] for t in self.stats["threads"]], hosts)

    def requests(self, line, direction="request"):
        """The counts of the requests, or replies, of a line, by category."""
        return {o["kind"][len(direction) + 1:]: (o["count"], o.get("bytes", 0)) for o in self.stats["lines"]
                if o.get("line") == self.lines[line] and o["kind"].startswith(direction + "_")}

    def test_messages(self):
        """To memory that is not mapped a put is one request, which has its bytes, and so are a get and an atomic
        operation; else none is sent. Conduits mpi and ofi have puts and gets of their own."""
        if self.reach == "mapped":
            self.assertEqual([self.requests(line) for line in ("put", "get", "memput", "atomic")], [{}, {}, {}, {}])
            return
        self.assertEqual(self.requests("atomic"), {"short": (20 * THREADS, 0)})
        self.assertGreater(self.kind("reply_short")["count"], 0)
        if HAS_OWN_TRANSFERS:
            return
        self.assertEqual(sum(count for count, _ in self.requests("put").values()), 100 * THREADS)
        self.assertEqual(sum(count for count, _ in self.requests("get").values()), 50 * THREADS)
        self.assertEqual(self.requests("memput"), {"medium": (THREADS, 100 * THREADS)})
        requests = sum(self.kind(f"request_{category}")["count"] for category in ("short", "medium", "long"))
        replies = sum(self.kind(f"reply_{category}")["count"] for category in ("short", "medium", "long"))
        self.assertGreaterEqual(requests, replies)
        self.assertRegex(self.done.stderr, r"(?m)^messages: [0-9,.]+k? requests \(.*short, .*medium.*\), [0-9,.]+k? replies \(")

    def test_accesses(self):
        self.check(self.at("put", "put"), 100 * THREADS, 4, self.reach)
        self.check(self.at("get", "get"), 50 * THREADS, 4, self.reach)
        self.check(self.at("own get", "get"), 10 * THREADS, 4, "local")
        self.check(self.at("atomic", "atomic"), 20 * THREADS, 8, self.reach)

    def test_bulk(self):
        self.check(self.at("memput", "memput"), THREADS, 100, self.reach)
        self.check(self.at("second memput", "memput"), THREADS, 200, self.reach)
        self.check(self.at("memget", "memget"), THREADS, 60, self.reach)
        self.check(self.at("memcpy", "memcpy"), THREADS, 40, self.reach)
        self.check(self.at("memset", "memset"), THREADS, 30, "local")
        self.check(self.at("nb_put", "nb_put"), THREADS, 80, self.reach)
        self.check(self.at("nb_get", "nb_get"), THREADS, 90, self.reach)
        self.check(self.at("nb_copy", "nb_copy"), THREADS, 50, self.reach)
        for line in ("sync", "sync of nb_get", "sync of nb_copy"):
            self.check(self.at(line, "sync"), THREADS)
        self.check(self.at("vis", "vis"), THREADS, 16, self.reach)

    def test_synchronisation(self):
        self.check(self.at("first barrier", "barrier"), THREADS)
        self.check(self.at("second barrier", "barrier"), THREADS)
        self.assertEqual(self.kind("barrier")["count"], 2 * THREADS)
        lock = self.at("lock", "lock")
        self.check(lock, 5 * THREADS)
        self.assertEqual(lock["waited_ns"], lock["ns"])
        self.assertGreater(lock["held_ns"], 0)
        self.check(self.at("unlock", "unlock"), 5 * THREADS)

    def test_collectives(self):
        """Bytes are what the arguments say: nbytes, or elements times their size."""
        for nbytes, name in enumerate(("broadcast", "scatter", "gather", "gather_all", "exchange"), start=16):
            self.check(self.at(name, name), THREADS, nbytes)
        self.check(self.at("prefix", "prefix_reduce"), THREADS, THREADS * 4)

    def test_heap(self):
        self.check(self.at("alloc", "alloc"), THREADS, 1000)
        self.check(self.at("free", "free"), THREADS)

    def test_every_thread(self):
        for thread in self.stats["threads"]:
            self.check(self.at("put", "put", thread["operations"]), 100, 4, self.reach)

    def test_pairs(self):
        """Each thread reads and writes its neighbour's memory, and a little of its own."""
        put, bulk, atomics = 100 * 4, 100 + 200 + 80 + 16, 20 * 8
        for thread in self.stats["threads"]:
            pairs = {p["thread"]: p for p in thread["pairs"]}
            me, there = thread["thread"], (thread["thread"] + 1) % THREADS
            accessed = {p["thread"] for p in thread["pairs"] if "reads" in p or "writes" in p}
            self.assertLessEqual(accessed, {me, there, 0})  # the lock is thread 0's
            self.assertEqual(pairs[there]["written_bytes"], put + bulk + atomics)
            self.assertEqual(pairs[there]["read_bytes"], 50 * 4 + 60 + 40 + 90 + 50)
            self.assertEqual(pairs[me]["read_bytes"], 10 * 4)
            self.assertEqual(pairs[me]["written_bytes"], 40 + 30 + 50)

    def test_kinds_of_pairs(self):
        one = {"put": (0, 0, 100, 400), "get": (50, 200, 0, 0), "memput": (0, 0, 2, 300), "memget": (1, 60, 0, 0),
               "memcpy": (1, 40, 0, 0), "nb_put": (0, 0, 1, 80), "nb_get": (1, 90, 0, 0), "nb_copy": (1, 50, 0, 0),
               "vis": (0, 0, 1, 16), "atomic": (0, 0, 20, 160)}
        own = {"get": (10, 40, 0, 0), "memcpy": (0, 0, 1, 40), "memset": (0, 0, 1, 30), "nb_copy": (0, 0, 1, 50)}
        sizes = {"4": 150, "8": 20, "16": 1, "32": 3, "64": 3, "128": 1}
        locks = {"lock": (0, 0, 5, 0), "unlock": (0, 0, 5, 0)}
        for thread in self.stats["threads"]:
            me, there = thread["thread"], (thread["thread"] + 1) % THREADS
            pairs = {p["thread"]: p for p in thread["pairs"]}
            for owner, expected in ((there, one), (me, own)):
                found = {k["kind"]: tuple(k.get(m, 0) for m in ("reads", "read_bytes", "writes", "written_bytes"))
                         for k in pairs[owner]["kinds"] if not k["kind"].startswith(("request", "reply"))}
                self.assertEqual(found, {**expected, **(locks if owner == 0 else {})})
            self.assertEqual(pairs[there]["sizes"], {**sizes, **({"0": 10} if there == 0 else {})})

    def test_sums_of_pairs(self):
        """Messages, and the times of what has an owner, are those of the kinds. (Of what a sample was timed of, both sums are
        estimates, by different means: bounds that are wide.)"""
        of_pairs = [k for t in self.stats["threads"] for p in t["pairs"] for k in p["kinds"] if "count" in k]
        for kind in {k["kind"] for k in self.stats["kinds"] if k["kind"].startswith(("request", "reply"))}:
            for key in ("count", "bytes"):
                self.assertEqual(sum(k.get(key, 0) for k in of_pairs if k["kind"] == kind), self.kind(kind).get(key, 0), kind)
        for thread in self.stats["threads"]:
            kinds = {}
            for kind in (k for p in thread["pairs"] for k in p["kinds"] if "count" not in k):
                kinds[kind["kind"]] = kinds.get(kind["kind"], 0) + kind.get("ns", 0)
                self.assertLessEqual(kind.get("waited_ns", 0), kind.get("ns", 0) + 1)
            for name, found in kinds.items():
                operations = [o for o in thread["operations"] if o["kind"] == name]
                total, estimated = sum(o.get("ns", 0) for o in operations), any("timed" in o for o in operations)
                low, high = (0.2, 5) if estimated else (0.99, 1.01)
                self.assertTrue(total * low - 1000 <= found <= total * high + 1000, (name, found, total))
            self.assertEqual(sum(p.get("ns", 0) for p in thread["pairs"]), sum(kinds.values()))


class Libraries(Counted):
    """libraries.upc. Each thread posts to its right neighbour's semaphore and waits for its own."""
    program = "libraries.upc"
    arguments = ("{folder}/file",)

    def test_files(self):
        """Bytes are the size of an element times their number, whether they are shared or not; others move none."""
        for line, kind, count, nbytes in [("fwrite_local", "io_write", 1, 50), ("fwrite_shared", "io_write", 3, 9),
                                          ("fwrite_async", "io_write", 1, 17), ("fread_local", "io_read", 1, 33),
                                          ("fread_shared", "io_read", 1, 20)]:
            self.check(self.at(line, kind), count * THREADS, nbytes)
        for line in ("fopen", "fseek", "fsync", "second fseek", "fwait", "fget_size", "fclose"):
            self.check(self.at(line, "io"), THREADS)
        self.assertEqual([self.kind(kind)["count"] for kind in ("io_write", "io_read", "io")],
                         [5 * THREADS, 2 * THREADS, 7 * THREADS])
        self.assertEqual(self.kind("io_write")["bytes"], (50 + 3 * 9 + 17) * THREADS)

    def test_semaphores(self):
        """Six are posted by five calls, and taken by five; one attempt more takes none."""
        self.assertEqual(self.done.stdout, "0\n")
        self.check(self.at("sem_post", "sem_post"), 3 * THREADS, None, self.reach)
        self.check(self.at("sem_post_n", "sem_post"), THREADS, None, self.reach)
        self.check(self.at("memput_signal", "sem_post"), THREADS, 24, self.reach)
        self.check(self.at("sem_wait", "sem_wait"), 4 * THREADS, None, "local")
        for line in ("sem_wait_n", "sem_try"):
            self.check(self.at(line, "sem_wait"), THREADS, None, "local")
        self.assertEqual([self.kind(kind)["count"] for kind in ("sem_post", "sem_wait")], [5 * THREADS, 6 * THREADS])

    def test_fills(self):
        for line, nbytes in (("memset_nb", 44), ("memset_async", 45), ("memset_nbi", 46)):
            self.check(self.at(line, "nb_set"), THREADS, nbytes, self.reach)
        for line in ("sync of memset_nb", "sync of memset_async", "synci"):
            self.check(self.at(line, "sync"), THREADS)

    def test_collectives(self):
        """Bytes are what the arguments say: nbytes, or elements times their size."""
        self.check(self.at("sort", "sort"), THREADS, 3 * THREADS * 4)
        self.check(self.at("permute", "permute"), THREADS, 21)
        self.check(self.at("reduce", "reduce"), THREADS, THREADS * 8)
        self.check(self.at("reduce_all", "reduce"), THREADS, THREADS * 4)
        self.assertEqual(self.kind("reduce")["count"], 2 * THREADS)

    def test_nothing_else(self):
        """What the calls do inside is part of them: the gets are those of the neighbours' semaphores, the puts the
        four that prepare; only the two barriers of the program are counted."""
        self.assertEqual({name: self.kind(name)["count"] for name in ("get", "put", "barrier", "broadcast")},
                         {"get": THREADS, "put": 5 * THREADS, "barrier": 2 * THREADS, "broadcast": 0})

    def test_pairs(self):
        """Bytes between threads: fills and the signalled put to the neighbour."""
        for thread in self.stats["threads"]:
            pairs = {p["thread"]: p for p in thread["pairs"]}
            there = (thread["thread"] + 1) % THREADS
            self.assertEqual(pairs[there]["written_bytes"], 24 + 44 + 45 + 46)


class Plain(Known):
    """Without --stats only what is not inlined is counted, and no lines; gets and puts of any size are of one kind."""

    def test_counts(self):
        self.check(self.kind("put"), (100 + 2) * THREADS)
        self.assertEqual(self.kind("put")["bytes"], (100 * 4 + 300) * THREADS)
        self.check(self.kind("get"), (50 + 1) * THREADS, None, self.reach)
        self.check(self.kind("memcpy"), THREADS, 40, self.reach)
        self.check(self.kind("nb_put"), THREADS, 80, self.reach)
        self.check(self.kind("nb_get"), THREADS, 90, self.reach)
        self.check(self.kind("nb_copy"), THREADS, 50, self.reach)
        self.check(self.kind("prefix_reduce"), THREADS, THREADS * 4)
        self.check(self.kind("vis"), THREADS, 16, self.reach)
        self.check(self.kind("atomic"), 20 * THREADS, 8, self.reach)
        self.check(self.kind("lock"), 5 * THREADS)
        self.check(self.kind("barrier"), 2 * THREADS)
        self.check(self.kind("alloc"), THREADS, 1000)
        self.check(self.kind("broadcast"), THREADS, 16)

    def test_no_lines(self):
        self.assertFalse([o for o in self.stats["lines"] if "line" in o])
        self.assertIn("lines are known of files that `upcc --stats`", self.done.stderr)  # the cure

    def test_words_of_switches(self):
        with tempfile.TemporaryDirectory() as folder:
            program = compile_upc(folder, "known.upc")
            for word, shown in [("Yes", True), ("y", True), ("OFF", False), ("n", False)]:
                done = subprocess.run([program], cwd=folder, env={**os.environ, "UPCR_STATS": word, "UPCR_TRACE": "No"},
                                      capture_output=True, text=True, check=True, timeout=100)
                self.assertEqual("== upcr statistics" in done.stderr, shown, word)
                self.assertEqual(os.listdir(folder), ["known"], word)


def load_tests(loader, _tests, _pattern):
    return unittest.TestSuite(loader.loadTestsFromTestCase(case)
                              for case in ([Plain] if WAY == "plain" else [Instrumented, Libraries]))


if __name__ == "__main__":
    unittest.main()
