#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random expressions of pointers-to-shared that check themselves: pointers.py FIRST COUNT FOLDER, writes program.upc

For each of COUNT seeds from FIRST on: pointers of random element types and block sizes into one array, and a
sequence of additions, subtractions, steps, casts and conversions to and from shared void *. Beside each pointer a
model in plain C holds its thread, its phase and its offset in the memory of that thread, by the rules of UPC 1.3,
6.4.2 and 6.4.3. After each step thread, phase and address are compared, and some differences and comparisons.
"""

import random
import sys

TYPES = {"char": 1, "short": 2, "int": 4, "double": 8, "struct three": 3, "struct pair": 16}
BLOCKS = [0, 1, 1, 2, 3, 4, 5, 16]

PROLOGUE = """#include <upc_relaxed.h>
#include <stdio.h>
#define S 65536 /* bytes on a thread */
struct three { char c[3]; };
struct pair { long a, b; };
shared [S] char memory[S * THREADS];
/* A pointer: element size e, block size b, and where it points to. */
struct model { long e, b, thread, phase, offset; };
static int failed, checks;

static long floor_div(long a, long b) { return a / b - (a % b < 0); }
static struct model add(struct model m, long n) {
    long k, block, phase, thread;
    if (m.b == 0) {
        m.offset += n * m.e;
        return m;
    }
    k = m.phase + n;
    block = floor_div(k, m.b);
    phase = k - block * m.b;
    thread = m.thread + block;
    m.offset += (phase - m.phase) * m.e + floor_div(thread, THREADS) * m.b * m.e;
    m.thread = thread - floor_div(thread, THREADS) * THREADS;
    m.phase = phase;
    return m;
}
/* The phase is kept if neither the block size nor the size of the element changes. */
static struct model cast(struct model m, long e, long b) {
    if (m.e != e || m.b != b) m.phase = 0;
    m.e = e;
    m.b = b;
    return m;
}
/* From a generic pointer, which keeps the phase, to a type of block size b. */
static struct model from_generic(struct model m, long e, long b) {
    if (b <= 1) m.phase = 0;
    m.e = e;
    m.b = b;
    return m;
}
static long block_start(struct model m) { return m.offset - m.phase * m.e; }
static int comparable(struct model p, struct model q) {
    if (p.b == 0) return p.thread == q.thread && (p.offset - q.offset) % p.e == 0;
    return (block_start(p) - block_start(q)) % (p.b * p.e) == 0;
}
static long difference(struct model p, struct model q) {
    if (p.b == 0) return (p.offset - q.offset) / p.e;
    return ((block_start(p) - block_start(q)) / (p.b * p.e) * THREADS + p.thread - q.thread) * p.b + p.phase - q.phase;
}
static void expect(int seed, int step, const char *what, long is, long should) {
    checks++;
    if (is == should) return;
    if (!failed) printf("seed %d step %d: %s is %ld, not %ld, with %d threads\\n", seed, step, what, is, should, THREADS);
    failed = 1;
}
static void check(int seed, int step, shared void *p, struct model m) {
    shared [] char *at = (shared [] char *)&memory[m.thread * S] + m.offset;
    expect(seed, step, "thread", upc_threadof(p), m.thread);
    expect(seed, step, "phase", upc_phaseof(p), m.b <= 1 ? 0 : m.phase);
    expect(seed, step, "address", (shared [] char *)p == at, 1);
    expect(seed, step, "upc_addrfield", upc_addrfield(p) - upc_addrfield(at), 0);
}
"""


def layout(block):
    return "[]" if block == 0 else "" if block == 1 else f"[{block}]"


class Sequence:
    """The function of one seed."""

    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        self.kinds = [(self.random.choice(list(TYPES)), self.random.choice(BLOCKS))
                      for _ in range(self.random.randint(2, 4))]
        self.kinds.append(self.kinds[0])  # two of one type, for differences

    def pointer_type(self, kind):
        return f"shared {layout(kind[1])} {kind[0]} *"

    def start(self, k):
        """At the beginning of a block in the middle of a thread's memory."""
        name, block = self.kinds[k]
        size = TYPES[name]
        offset = 48 * 512 // (size * max(block, 1)) * (size * max(block, 1))
        thread = self.random.randrange(8)
        return [f"m{k} = (struct model){{{size}, {block}, {thread} % THREADS, 0, {offset}}};",
                f"p{k} = ({self.pointer_type(self.kinds[k])})&memory[{thread} % THREADS * S + {offset}];"]

    def step(self, k):
        r = self.random
        n = r.choice([1, 2, 3, 7, 20, 61, r.randint(-60, 60), -1, -5, 0])
        kind = r.randrange(10)
        if kind < 2:
            sign = r.choice(["+", "-"])
            value = n if sign == "+" else -n
            return [f"p{k} = p{k} {sign} ({n});", f"m{k} = add(m{k}, {value});"]
        if kind == 2:
            return [f"p{k} = {n} + p{k};", f"m{k} = add(m{k}, {n});"]
        if kind == 3:
            op = r.choice(["+=", "-="])
            return [f"p{k} {op} {n};", f"m{k} = add(m{k}, {n if op == '+=' else -n});"]
        if kind == 4:
            step = r.choice([("p{}++;", 1), ("++p{};", 1), ("p{}--;", -1), ("--p{};", -1)])
            return [step[0].format(k), f"m{k} = add(m{k}, {step[1]});"]
        if kind == 5:
            return [f"p{k} = &p{k}[{n}];", f"m{k} = add(m{k}, {n});"]
        if kind == 6:
            return [f"p{k} = THREADS * {n} / 2 + p{k} - (MYTHREAD, {n});",
                    f"m{k} = add(add(m{k}, (long)THREADS * {n} / 2), -({n}));"]
        other = r.randrange(len(self.kinds))
        name, block = self.kinds[k]
        size = TYPES[name]
        if kind == 7:
            return [f"g = p{other}; p{k} = ({self.pointer_type(self.kinds[k])})p{other};",
                    f"m{k} = cast(m{other}, {size}, {block});"]
        if kind == 8:
            if block > 1 and (self.kinds[other][1] > block or self.kinds[other][1] == 0):
                return []  # the phase might not fit
            return [f"g = p{other}; p{k} = g;", f"m{k} = from_generic(m{other}, {size}, {block});"]
        return [f"p{k} = (p{k} + {n}) - {n - 1};", f"m{k} = add(add(m{k}, {n}), {1 - n});"]

    def text(self):
        count = len(self.kinds)
        lines = [f"    {self.pointer_type(kind)}p{k};" for k, kind in enumerate(self.kinds)]
        lines.append("    struct model " + ", ".join(f"m{k}" for k in range(count)) + ";\n    shared void *g;")
        for k in range(count):
            lines += ["    " + line for line in self.start(k)]
        lines.append("    g = p0;\n    (void)g;")
        for step in range(20):
            k = self.random.randrange(count)
            lines += ["    " + line for line in self.step(k)]
            lines.append(f"    check({self.seed}, {step}, p{k}, m{k});")
            last = count - 1
            if step % 4 == 3:
                lines.append(f"    if (comparable(m0, m{last})) {{")
                lines.append(f"        expect({self.seed}, {step}, \"difference\", p0 - p{last}, difference(m0, m{last}));")
                lines.append(f"        expect({self.seed}, {step}, \"<\", p0 < p{last}, difference(m0, m{last}) < 0);")
                lines.append(f"        expect({self.seed}, {step}, \">=\", p0 >= p{last}, difference(m0, m{last}) >= 0);")
                lines.append(f"        expect({self.seed}, {step}, \"==\", p0 == p{last}, difference(m0, m{last}) == 0);")
                lines.append("    }")
        body = "\n".join(lines)
        return f"static void run{self.seed}(void) {{\n{body}\n}}\n"


def main():
    first, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    seeds = range(first, first + count)
    calls = "\n".join(f"    run{seed}();" for seed in seeds)
    with open(f"{folder}/program.upc", "w") as program:
        program.write(PROLOGUE + "\n" + "\n".join(Sequence(seed).text() for seed in seeds))
        program.write(f"int main(void) {{\n{calls}\n    upc_barrier;\n    if (failed || checks == 0) return 1;\n"
                      "    if (MYTHREAD == 0) puts(\"done\");\n    return 0;\n}\n")


if __name__ == "__main__":
    main()
