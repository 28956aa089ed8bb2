# SPDX-License-Identifier: BSD-3-Clause
"""report.py SOURCE: bench/report and bench/run on known records: verdicts, comparisons, time limits of parts. Plots are
tested by page.sh."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "bench"))
from table import compare, main, parts, records, runner, verdicts  # noqa: E402


def record(name, size=8, ratio=1.0, **more):
    return {"name": name, "size": size, "conduit": "smp", "ranks": 2, "part": "smp2", "median": 1e-6, "spread": 1e-8,
            "reference": "two lines", "reference_median": 1e-6 / ratio, "ratio": ratio, "ratio_spread": 0.02, **more}


def target(**more):
    return {"what": "w", "part": "smp2", "names": ["put"], "value": "ratio", "reference": "r", **more}


class Verdicts(unittest.TestCase):
    def line(self, t, found, ran=()):
        lines = verdicts.table([t], found, list(ran))
        self.assertEqual(len(lines), 1, lines)
        return lines[0]

    def test_at_most(self):
        t = target(at_most=1.6)
        self.assertEqual(self.line(t, [record("put", ratio=1.6)]).verdict, "met")
        self.assertEqual(self.line(t, [record("put", ratio=1.7)]).verdict, "missed")

    def test_at_least_of_the_speed(self):
        t = target(value="speed", at_least=0.9)
        self.assertEqual(self.line(t, [record("put", ratio=1.1)]).verdict, "met")  # 0.909
        slow = self.line(t, [record("put", ratio=1.25)])
        self.assertEqual((slow.verdict, slow.figure[:4]), ("missed", "0.80"))

    def test_the_worst_size_decides(self):
        found = [record("put", 4096, 0.9), record("put", 65536, 1.2), record("put", 8, 9.0)]
        line = self.line(target(at_most=1.0, sizes=[4096, 65536]), found)
        self.assertEqual(line.verdict, "missed")
        self.assertIn("the worst of 2, 64 KiB; 1 miss", line.note)
        self.assertTrue(line.figure.startswith("1.20 x"), line.figure)

    def test_only_the_named_sizes_and_parts_count(self):
        found = [record("put", 64, 9.0), record("put", 8, 1.0), record("put", 8, 9.0, part="onecore"), record("get", 8, 9.0)]
        self.assertEqual(self.line(target(sizes=[8], at_most=1.6), found).verdict, "met")

    def test_within_the_spread_is_still_missed(self):
        line = self.line(target(at_most=1.6), [record("put", ratio=1.605)])
        self.assertEqual(line.verdict, "missed")
        self.assertIn("within the spread", line.note)

    def test_met_by_less_than_the_spread_says_so(self):
        line = self.line(target(at_most=1.6), [record("put", ratio=1.595)])
        self.assertEqual((line.verdict, "within the spread" in line.note), ("met", True))
        self.assertNotIn("within", self.line(target(at_most=1.6), [record("put", ratio=1.5)]).note)

    def test_a_figure_beside_something_else_does_not_count(self):
        t = target(at_most=1.6, beside="futex")
        line = self.line(t, [record("put", ratio=0.1)])
        self.assertEqual((line.verdict, line.note), ("not measured", "here its reference is two lines"))
        self.assertEqual(self.line(t, [record("put", ratio=0.1, reference="futex")]).verdict, "met")

    def test_nothing_is_never_met(self):
        t = target(at_most=1.6)
        self.assertEqual(self.line(t, []).verdict, "not measured")
        why = self.line(t, [], [{"name": "smp2", "why_not": "no such program"}])
        self.assertEqual((why.verdict, why.note), ("not measured", "no such program"))
        self.assertIn("no such row", self.line(t, [], [{"name": "smp2"}]).note)
        absent = {"name": "put", "size": 8, "part": "smp2", "why_not": "no device"}
        self.assertEqual(self.line(t, [absent]).note, "no device")
        bare = record("put")
        del bare["ratio"]
        self.assertEqual(self.line(t, [bare]).note, "without a reference")

    def test_one_that_was_not_measured_is_named_beside_the_others(self):
        absent = {"name": "put", "size": 64, "part": "smp2", "why_not": "no device"}
        line = self.line(target(at_most=1.6), [record("put"), absent])
        self.assertEqual((line.verdict, line.figure[:4]), ("not measured", "1.00"))
        self.assertIn("1 more not measured: no device", line.note)
        self.assertEqual(self.line(target(at_most=0.9), [record("put"), absent]).verdict, "missed")

    def test_every_size_has_to_be_there(self):
        line = self.line(target(at_most=1.6, sizes=[8, 4096]), [record("put")])
        self.assertEqual((line.verdict, "no 4 KiB" in line.note), ("not measured", True))

    def test_a_reference_that_never_held_still_says_nothing(self):
        line = self.line(target(at_most=1.6), [record("put", kept=0, triples=25)])
        self.assertEqual((line.verdict, line.note), ("not measured", "its reference was never steady"))

    def test_patterns_units_and_rates(self):
        t = {**target(value="ratio", at_least=0.5), "pattern": "example_.*_shared"}
        del t["names"]
        found = [record("example_a_shared", ratio=0.7, unit="MB/s"), record("example_b_shared", ratio=0.4, unit="MB/s")]
        line = self.line(t, found)
        self.assertEqual(line.verdict, "missed")
        self.assertIn("example_b_shared", line.note)
        t = target(value="difference", unit="ms", at_most=0.010)
        self.assertEqual(self.line(t, [record("put", difference=0.0123)]).figure, "12.3 ms")

    def test_each_mpi_library_has_a_line(self):
        lines = verdicts.table([target(part="mpi2_{mpi}", at_most=1)], [record("put", part="mpi2_mpich")], [])
        self.assertEqual([(l.part, l.verdict) for l in lines], [("mpi2_openmpi", "not measured"), ("mpi2_mpich", "met")])


class Targets(unittest.TestCase):
    def test_every_target_has_a_part(self):
        names = {p.name for p in parts.PARTS}
        for t in verdicts.load_targets():
            for mpi in verdicts.MPI:
                self.assertIn(t["part"].format(mpi=mpi), names)

    def test_copies_of_pieces_are_held_to_the_loop_that_knows_the_length(self):
        """At most 1.0 through gasnet.h and over both libraries of MPI: list to list, and many pieces to one."""
        lines = verdicts.table(verdicts.load_targets(), [], [])

        def bounds(name, part):
            return {l.target for l in lines if (l.name, l.part) == (name, part)}
        for name in ("putv", "getv", "putv_one", "getv_one"):
            self.assertEqual(bounds(name, "gasnet2"), {"<= 1.00 x"}, name)
        for name in ("mpi_strided_put", "mpi_strided_get", "mpi_indexed_put", "mpi_indexed_get", "mpi_indexed_lists",
                     "mpi_vector_put", "mpi_vector_get", "mpi_vector_put_one", "mpi_vector_get_one",
                     "mpi_indexed_put_addressed", "mpi_vector_get_one_addressed"):
            for mpi in verdicts.MPI:
                self.assertEqual(bounds(name, f"scattered2_{mpi}"), {"<= 1.00 x"}, name)

    def test_active_messages_are_measured_through_gasnet(self):
        """No upcr_perf has a row of them: each target of an AM row is in a part that runs gasnet_perf."""
        asked = [(l.part, l.name) for l in verdicts.table(verdicts.load_targets(), [], []) if "am_" in l.name]
        self.assertLessEqual({("gasnet2", "am_short"), ("gasnet2", "am_short_flood"), ("gasnet2", "am_medium"),
                              ("onecore", "am_short"), ("crowd2x2", "am_short_crowd"), ("mpi2_openmpi", "mpi_am_short"),
                              ("mpi2_mpich", "mpi_am_short"), ("ibv2_am", "ibv_am_short")}, set(asked))
        for part in {part for part, _ in asked}:
            with tempfile.TemporaryDirectory() as folder:
                ran = []

                class Recorded(runner.Context):
                    def program(self, name):
                        ran.append(name)
                        return name

                    def call(self, command, *_, **__):
                        raise runner.NotMeasured("recorded")
                c = Recorded(build=pathlib.Path(folder), source=SOURCE, out=pathlib.Path(folder), quick=True)
                c.part, c.ends = part, time.monotonic() + 60
                with self.assertRaises(runner.NotMeasured):
                    next(p for p in parts.PARTS if p.name == part).measure(c)
                self.assertTrue(any(name.startswith("gasnet_perf") for name in ran), (part, ran))

    def test_a_target_without_a_direction_is_refused(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"targets": [target()]}, file)
            file.flush()
            with self.assertRaisesRegex(ValueError, "at_most or at_least"):
                verdicts.load_targets(file.name)

    def test_no_part_takes_more_than_a_quarter_of_the_time(self):
        self.assertLessEqual(max(p.budget for p in parts.PARTS), 900 / 4)


class Compare(unittest.TestCase):
    def test_what_moved(self):
        first = [record("put", ratio=2.0), record("get", ratio=1.50), record("lock", ratio=1.0)]
        second = [record("put", ratio=1.0), record("get", ratio=1.51), record("barrier", ratio=1.0)]
        moves, still, gone, new = compare.compare(first, second)
        self.assertEqual([(m.record["name"], m.change) for m in moves], [("put", 0.5)])
        self.assertEqual((still, [r["name"] for r in gone], [r["name"] for r in new]), (1, ["lock"], ["barrier"]))
        text = compare.as_text(first, second)
        self.assertRegex(text, r"(?m)^faster +-50\.0 % +put 8 B \(smp2\) +2\.00 x -> 1\.00 x$")
        self.assertIn("1 rows moved, 1 did not", text)

    def test_the_spread_counts(self):
        wide = [record("put", ratio=1.0, ratio_spread=0.6)], [record("put", ratio=1.5, ratio_spread=0.6)]
        self.assertEqual(len(compare.compare(*wide)[0]), 0)
        narrow = [record("put", ratio=1.0, ratio_spread=0.1)], [record("put", ratio=1.5, ratio_spread=0.1)]
        self.assertEqual([m.change for m in compare.compare(*narrow)[0]], [1.5])

    def test_of_rates_more_is_faster(self):
        rate = [record("gups", ratio=1.0, unit="MB/s")], [record("gups", ratio=2.0, unit="MB/s")]
        self.assertEqual([m.change for m in compare.compare(*rate)[0]], [0.5])

    def test_memory_is_compared_too(self):
        a, b = ([{"name": "rss", "size": 0, "kib": kib}] for kib in (4000, 5000))
        self.assertRegex(compare.as_text(a, b), r"(?m)^worse +\+25\.0 % +rss 0 B .*4000 kib -> 5000 kib$")
        a, b = ([{"name": "heap", "size": 0, "fraction": part}] for part in (0.5, 1.0))
        self.assertRegex(compare.as_text(a, b), r"(?m)^better +-50\.0 % +heap ")

    def test_times_where_there_are_no_ratios(self):
        a, b = ({"name": "x", "size": 0, "median": m, "spread": 0} for m in (1e-6, 2e-6))
        self.assertIn("1 us -> 2 us", compare.as_text([a], [b]))


class Runner(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        path = pathlib.Path(self.folder.name)
        self.c = runner.Context(build=path, source=SOURCE, out=path, quick=True, part="p", ends=time.monotonic() + 60)

    def test_a_part_ends_when_its_time_is_over(self):
        self.c.ends = time.monotonic() + 1.5
        with self.assertRaisesRegex(runner.NotMeasured, "longer than its part's time"):
            self.c.call(["sh", "-c", "sleep 60 & wait"])
        self.assertGreater(30, time.monotonic() - self.c.ends)
        with self.assertRaisesRegex(runner.NotMeasured, "over before it began"):
            self.c.call(["true"])

    def test_what_fails_says_why(self):
        with self.assertRaisesRegex(runner.NotMeasured, "status 3: no such thing"):
            self.c.call(["sh", "-c", "echo no such thing >&2; exit 3"])
        with self.assertRaisesRegex(runner.NotMeasured, "upcr_perf was not built"):
            self.c.program("upcr_perf")

    def test_one_program_of_a_part_may_be_missing(self):
        def absent(_):
            raise runner.NotMeasured("gasnet_perf was not built")
        measure = parts.both(lambda _: [record("barrier")], absent)
        with self.assertRaisesRegex(runner.NotMeasured, "^gasnet_perf was not built$") as raised:
            measure(self.c)
        self.assertEqual([r["name"] for r in raised.exception.records], ["barrier"])
        about, found = main.measure(parts.Part("two", "t", 5, measure), self.c, time.monotonic() + 5)
        self.assertEqual((about["why_not"], [(r["name"], r["part"]) for r in found]),
                         ("gasnet_perf was not built", [("barrier", "two")]))
        t = target(part="two", names=["barrier", "am_short"], at_most=2.0)
        lines = verdicts.table([t], found, [about])
        self.assertEqual([(l.name, l.verdict) for l in lines], [("barrier", "met"), ("am_short", "not measured")])
        self.assertEqual(lines[1].note, "gasnet_perf was not built")

    def test_the_time_that_is_left_is_the_run_s_too(self):
        self.assertEqual(self.c.call(["sh", "-c", "echo $A"], {"A": "b"}), (0, "b\n"))


class Words(unittest.TestCase):
    def report(self, *arguments):
        done = subprocess.run([SOURCE / "bench" / "report", *arguments], text=True, capture_output=True)
        return done.returncode, done.stdout, done.stderr

    def test_tables_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "results.json"
            run = {"parts": [{"name": "smp2"}], "results": [record("put", 8, 1.5), record("barrier", 0, 0.9)]}
            file.write_text(json.dumps(run))
            status, text, _ = self.report(file, "--text")
            self.assertEqual(status, 0)
            self.assertRegex(text, r"8-byte blocking put .* 1\.50 x .* <= 1\.60 x +met ")
            self.assertRegex(text, r"barrier, 2 processes +barrier \(smp2\) .* missed")
            status, text, _ = self.report(file, "--markdown")
            cells = {len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines() if line.startswith("|")}
            self.assertEqual((status, cells), (0, {7}))
            page = pathlib.Path(folder) / "page.md"
            page.write_text("before\n<!-- table: how -->\nold\n<!-- end of table -->\nafter\n")
            for _ in range(2):
                self.assertEqual(self.report(file, "--into", page)[0], 0)
                lines = page.read_text().splitlines()
                self.assertEqual((lines[:2], lines[-2:], lines.count("old")),
                                 (["before", "<!-- table: how -->"], ["<!-- end of table -->", "after"], 0))
                self.assertEqual(len(lines), len(text.splitlines()) + 4)
            status, text, _ = self.report("--compare", file, file)
            self.assertEqual((status, text), (0, "0 rows moved, 2 did not\n"))
            # Where it was measured stands above the table and behind the text.
            file.write_text(json.dumps({"machine": {"processor": "Some CPU 9000", "cores": 3}, **run}))
            self.assertEqual(self.report(file, "--into", page)[0], 0)
            self.assertEqual(page.read_text().splitlines()[2:4], ["Measured on: Some CPU 9000, 3 cores.", ""])
            self.assertIn("Measured on: Some CPU 9000, 3 cores.", self.report(file, "--text")[1])
            other = pathlib.Path(folder) / "part.json"
            other.write_text(json.dumps([record("put", cpu="Other CPU"), record("get", cpu="Other CPU")]))
            self.assertIn("Measured on: Other CPU.", self.report(other, "--text")[1])
            file.write_text("{}")
            status, _, text = self.report(file, "--text")
            self.assertEqual(status, 1)
            self.assertIn("neither a list of records nor", text)

    def test_sizes_and_times(self):
        self.assertEqual([records.size_text(s) for s in (8, 4096, 67108864, 1000)], ["8 B", "4 KiB", "64 MiB", "1000 B"])
        self.assertEqual([records.seconds(t) for t in (2, 1.5e-3, 2.5e-6, 3e-9)], ["2 s", "1.5 ms", "2.5 us", "3 ns"])
        self.assertEqual([records.family(n) for n in ("mpi_put_64k", "ibv_put_1m_seg", "put")],
                         ["mpi_put", "ibv_put_seg", "put"])


unittest.main()
