# SPDX-License-Identifier: BSD-3-Clause
"""traced.py UPCRUN PROGRAM: GASNET_STATSFILE and GASNET_TRACEFILE of a program whose traffic is known (traced.c)."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

UPCRUN, PROGRAM = sys.argv[1:3]
NODES = 2

# Of each node: the letter, how often, and the bytes of all together.
EXPECTED = {
    "PUT": ("P", 10 + 1, 5 * 8 + 5 * 16 + 2), "GET": ("G", 5, 5 * 32), "PUT_NB": ("P", 3, 3 * 64),
    "GET_NBI": ("G", 2, 8), "MEMSET": ("P", 1, 100), "BARRIER_NOTIFY": ("B", 2, None), "BARRIER_WAIT": ("B", 2, None),
    "AMREQUEST_SHORT": ("A", 4, None), "AMREQUEST_MEDIUM": ("A", 6, 60), "AMREPLY_SHORT": ("A", 10, None),
    "AM_SHORT_HANDLER": ("A", 14, None), "AM_MEDIUM_HANDLER": ("A", 6, 60),
}
LINE = re.compile(r"^(\d+)\([0-9a-f]+\) [0-9]+\.[0-9]{9}> \((.)\) (\w+)(.*)$")


def read(text):
    """[(node, letter, name, rest)] of the lines, which all have this form."""
    found = []
    for line in text.splitlines():
        match = LINE.match(line)
        if match is None:
            raise AssertionError(f"no line of a trace: {line}")
        found.append((int(match[1]), *match.group(2, 3, 4)))
    return found


class Traced(unittest.TestCase):
    def run_job(self, folder, **variables):
        words = {name: value.replace("DIR", folder) for name, value in variables.items()}
        done = subprocess.run([UPCRUN, "-n", str(NODES), "--timeout", "200", PROGRAM], env={**os.environ, **words},
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def read_file(self, folder, name):
        with open(os.path.join(folder, name), encoding="utf-8") as text:
            return read(text.read())

    def check_counts(self, lines, node):
        found = {name: (letter, rest) for n, letter, name, rest in lines if n == node and letter not in "IS"}
        self.assertEqual(set(found), set(EXPECTED))
        for name, (letter, count, total) in EXPECTED.items():
            self.assertEqual(found[name][0], letter, name)
            self.assertEqual(int(found[name][1].split()[0]), count, name)
            sizes = re.search(r"avg/min/max/total sz = (\d+)/(\d+)/(\d+)/(\d+) ", found[name][1])
            self.assertEqual(int(sizes[4]) if sizes else None, total, name)
        self.assertIn("= 11/2/16/122 ", found["PUT"][1])

    def test_statistics_of_each_node(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_job(folder, GASNET_STATSFILE="DIR/stats-%%.txt")
            for node in range(NODES):
                lines = self.read_file(folder, f"stats-{node}.txt")
                self.assertEqual({line[0] for line in lines}, {node})
                self.check_counts(lines, node)

    def test_shared_file_and_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "stats"), "w", encoding="utf-8") as old:
                old.write("of an earlier job\n")
            self.run_job(folder, GASNET_STATSFILE="DIR/stats", GASNET_TRACEFILE="DIR/trace-%")
            for node in range(NODES):
                self.check_counts(self.read_file(folder, "stats"), node)
                events = self.read_file(folder, f"trace-{node}")
                for name, (letter, count, _) in EXPECTED.items():
                    here = [e for e in events if e[2] in (name, name + "_LOCAL")]
                    self.assertEqual(([e[1] for e in here]), [letter] * count, name)
                next_node = (node + 1) % NODES
                self.assertEqual(sum(f"node={next_node} sz=32 " in e[3] for e in events if e[2] == "GET"), 5)
                self.assertEqual([e[2] for e in events if "sz=2 " in e[3]], ["PUT_LOCAL"])

    def test_masks_and_nodes(self):
        with tempfile.TemporaryDirectory() as folder:
            err = self.run_job(folder, GASNET_STATSFILE="-", GASNET_STATSMASK="gB", GASNET_STATSNODES="1",
                               GASNET_TRACEFILE="DIR/trace", GASNET_TRACEMASK="P", GASNET_TRACELOCAL="no")
            lines = [line for line in err.splitlines() if LINE.match(line)]
            self.assertEqual({(line[0], line[2]) for line in read("\n".join(lines))},
                             {(1, name) for name in ("GET", "GET_NBI", "BARRIER_NOTIFY", "BARRIER_WAIT")})
            events = self.read_file(folder, "trace")
            self.assertEqual({(e[1], e[2]) for e in events}, {("P", "PUT"), ("P", "PUT_NB"), ("P", "MEMSET")})
            self.assertEqual(len(events), NODES * (10 + 3 + 1))

    def test_nothing_unasked(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.run_job(folder, GASNET_STATSMASK="G", GASNET_TRACEMASK="A"), "")

    def test_file_that_cannot_be_written(self):
        with tempfile.TemporaryDirectory() as folder:
            err = self.run_job(folder, GASNET_TRACEFILE="DIR/none/trace")
            self.assertIn("WARNING: GASNET_TRACEFILE=", err)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
