#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random UPC programs that check themselves: programs.py FIRST COUNT FOLDER, writes program.upc and model.c there

For each of COUNT seeds from FIRST on: shared arrays of random element types and layouts, and phases of loops and
assignments over them. model.c is a sequential model of every phase in plain C, on private arrays, for each UPC thread
in turn. After each phase thread 0 compares all arrays with the model's, prints the seed of the first difference and
fails. The model is a file of its own because it is compiled once, for all options of upcc.

What makes a program deterministic: in a phase each array is either read only, or each of its elements is written by
one thread, and read by nobody else.

Expressions are pairs of texts, for UPC and for the model. All values are kept in 0 ... 1023, so that no type of an
array overflows but char and bit-fields, which both sides convert alike.
"""

import random
import sys
from dataclasses import dataclass

from blocks import StraightBlocks
from loops import LinearLoops

MAX_THREADS = 8
ELEMENTS = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
            "float", "double", "long double"] + ["struct item"] * 4
MEMBERS = ["{}.a", "{}.b[1]", "{}.f", "{}.d", "{}.in.x", "{}.g", "{}.b[2]"]  # of struct item

COMMON = """#define MAX_THREADS 8
struct item { signed char a; short b[3]; unsigned f : 10; int g : 12; double d; struct { long x; } in; };
static long mix(long a, long b, long c) { return (a ^ (b * 3 + c)) & 1023; }
"""
PROLOGUE = """#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
""" + COMMON + """static int failed;
static shared int zeros[THREADS];
static int same_item(struct item a, struct item b) {
    return a.a == b.a && a.b[0] == b.b[0] && a.b[1] == b.b[1] && a.b[2] == b.b[2] && a.f == b.f && a.g == b.g && a.d == b.d &&
           a.in.x == b.in.x;
}
static void differs(int seed, int phase, const char *array, long index) {
    if (!failed) printf("seed %d phase %d: %s[%ld] differs with %d threads\\n", seed, phase, array, index, THREADS);
    failed = 1;
}
"""


@dataclass
class Array:
    """`shared [block] element name[...]`, `per_thread` elements for each thread; its last dimension is `row`."""

    name: str
    element: str
    block: str  # as written: "", "[]", "[3]", "[*]"
    per_thread: int
    row: int
    mode: str

    @property
    def total(self):
        return f"({self.per_thread} * THREADS)" if self.block != "[]" else f"{self.per_thread}"

    @property
    def model_total(self):
        return f"({self.per_thread} * T)" if self.block != "[]" else f"{self.per_thread}"

    @property
    def block_size(self):
        return {"": 1, "[]": 0, "[*]": self.per_thread}.get(self.block) if self.block in ("", "[]", "[*]") else int(
            self.block[1:-1])

    @property
    def layout(self):
        """As a pointer's type has it: [*] stands for a number."""
        return f"[{self.per_thread}]" if self.block == "[*]" else self.block

    def declaration(self):
        rows = self.per_thread // self.row
        bound = f"[{rows}]" if self.block == "[]" else f"[{rows} * THREADS]"
        if self.row > 1:
            bound += f"[{self.row}]"
        return f"{self.mode}shared {self.block} {self.element} {self.name}{bound};"

    def model_declaration(self):
        return f"{self.element} m_{self.name}[{self.per_thread} * MAX_THREADS];"

    def at(self, index):
        """The element of a linear index: (UPC, model)."""
        upc, model = index
        if self.row > 1:
            return f"{self.name}[({upc}) / {self.row}][({upc}) % {self.row}]", f"m_{self.name}[{model}]"
        return f"{self.name}[{upc}]", f"m_{self.name}[{model}]"

    def owner(self, index):
        b = self.block_size
        return f"(int)((({index}) / {b}) % T)" if b else "0"


def both(text):
    return text, text


class Program(LinearLoops, StraightBlocks):
    """The functions of one seed, all with a prefix of their own."""

    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        self.prefix = f"s{seed}_"
        self.arrays = [self.make_array(k) for k in range(self.random.randint(2, 5))]
        self.functions = []
        self.model = []
        self.helpers = 0

    def make_array(self, k):
        r = self.random
        row = r.choice([1, 1, 2, 3])
        per_thread = row * r.choice([1, 2, 3, 4, 5, 6, 11, 16])
        block = r.choice(["", "", "[]", "[2]", "[3]", "[7]", "[*]", "[4]", "[1]", "[0]", "[16]"])
        if block == "[0]":
            block = "[]"
        return Array(f"{self.prefix}a{k}", r.choice(ELEMENTS), block, per_thread, row,
                     r.choice(["", "", "", "strict ", "relaxed "]))

    # Expressions: pairs (UPC, model) with values in 0 ... 1023.

    def index(self, array, loop, depth):
        upc, model = self.value(loop, depth)
        return f"({upc}) % {array.total}", f"({model}) % {array.model_total}"

    def scalar(self, array, element):
        """A number in an element, masked, since members may be negative."""
        if array.element == "struct item":
            member = self.random.choice(MEMBERS)
            element = tuple(member.format(text) for text in element)
        return tuple(f"((long){text} & 1023)" for text in element)

    def read(self, loop, depth):
        array = self.random.choice(self.readable)
        index = self.index(array, loop, depth)
        kind = self.random.randrange(4)
        if kind == 0:
            at = self.index(array, None, 0)
            pointer = f"(&{array.at(at)[0]})"
            upc = f"{pointer}[(long)({index[0]}) - (long)({at[0]})]"
            return self.scalar(array, (upc, array.at(index)[1]))
        if kind == 1:
            at = self.index(array, None, 0)
            upc = f"(*(&{array.at(at)[0]} - ((long)({at[0]}) - (long)({index[0]}))))"
            return self.scalar(array, (upc, array.at(index)[1]))
        return self.scalar(array, array.at(index))

    def value(self, loop, depth):
        r = self.random
        if depth <= 0:
            leaves = [both(str(r.randrange(64))), both(str(r.randrange(1024))), ("THREADS", "T"), ("MYTHREAD", "t"),
                      (f"{self.prefix}v", "v[t]")]
            if loop:
                leaves += [both(loop)] * 4
            return r.choice(leaves)
        kind = r.randrange(12)
        if kind < 4:
            return self.read(loop, depth - 1)
        if kind < 8:
            a, b = self.value(loop, depth - 1), self.value(loop, depth - 1)
            op = r.choice(["+", "*", "^", "|", "&", "-"])
            return tuple(f"((({x}) {op} ({y})) & 1023)" for x, y in zip(a, b))
        if kind == 8:
            c, a, b = (self.value(loop, depth - 1) for _ in range(3))
            return tuple(f"(({x}) > {37} ? ({y}) : ({z}))" for x, y, z in zip(c, a, b))
        if kind == 9:
            a, b = self.value(loop, depth - 1), self.value(loop, depth - 1)
            op = r.choice(["&&", "||", "==", "<", ">="])
            return tuple(f"(({x}) {op} ({y}))" for x, y in zip(a, b))
        if kind == 10:
            array = r.choice(self.arrays)
            index = self.index(array, loop, 0)
            if r.random() < 0.5:
                return f"upc_threadof(&{array.at(index)[0]})", array.owner(index[1])
            b = array.block_size
            return f"upc_phaseof(&{array.at(index)[0]})", f"(({index[1]}) % {b})" if b else "0"
        array = r.choice(self.arrays)
        a, b = self.index(array, loop, 0), self.index(array, loop, 0)
        return (f"((&{array.at(a)[0]} - &{array.at(b)[0]}) & 1023)", f"(((long)({a[1]}) - (long)({b[1]})) & 1023)")

    # Statements: lists of pairs.

    def store(self, array, index, loop):
        """A write of the element, which may read it too."""
        r = self.random
        element = array.at(index)
        if array.element == "struct item":
            kind = r.randrange(4)
            sources = [a for a in self.readable if a.element == "struct item"]
            if kind == 0 and sources:
                source = r.choice(sources)
                other = source.at(self.index(source, loop, 1))
                return [tuple(f"{x} = {y};" for x, y in zip(element, other))]
            if kind == 1 and sources:
                source = r.choice(sources)
                other = source.at(self.index(source, loop, 1))
                value = self.value(loop, 1)
                return [tuple(f"{{ struct item x = {y}; x.a += ({v}) & 7; x.b[({v}) % 3] = {v}; {x} = x; }}"
                              for x, y, v in zip(element, other, value))]
            member = r.choice(MEMBERS)
            element = tuple(member.format(text) for text in element)
        value = self.value(loop, 2)
        kind = r.randrange(7)
        if kind == 0:
            own = self.mask(element)
            return [tuple(f"{x} = ({o}) + (({v}) & 15);" for x, o, v in zip(element, own, value))]
        if kind == 1:
            return [tuple(f"{x} = ({v}) & 63;" for x, v in zip(element, value)),
                    tuple(f"{x} {r_op} 3;" for x, r_op in zip(element, [r.choice(["+=", "-=", "*="])] * 2))]
        if kind == 2:
            step = r.choice(["{}++;", "++{};", "{}--;", "--{};"])
            return [tuple(f"{x} = ({v}) & 31;" for x, v in zip(element, value)),
                    tuple(step.format(x) for x in element)]
        if kind == 3:
            condition = self.value(loop, 1)
            other = self.value(loop, 1)
            return [tuple(f"if (({c}) & 1) {x} = {v}; else {x} = {o};"
                          for c, x, v, o in zip(condition, element, value, other))]
        if kind == 4:
            v = (f"{self.prefix}v", "v[t]")
            return [tuple(f"{p} = ((long)({x} = {y})) & 1023;" for p, x, y in zip(v, element, value))]
        if kind == 5 and array.element != "struct item":
            return [(f"if (upc_threadof(&{element[0]}) == MYTHREAD) {{ {array.element} *l = ({array.element} *)&{element[0]}; "
                     f"*l = {value[0]}; }} else {element[0]} = {value[0]};", f"{element[1]} = {value[1]};")]
        return [tuple(f"{x} = {v};" for x, v in zip(element, value))]

    @staticmethod
    def mask(element):
        return tuple(f"((long){text} & 255)" for text in element)

    def owned_loop(self, array):
        """upc_forall over all elements of `array`, each written by one thread."""
        r = self.random
        kind = r.randrange(5)
        i = "i"
        body = self.store(array, both(i), i)
        upc_body, model_body = " ".join(x for x, _ in body), " ".join(y for _, y in body)
        down = r.random() < 0.3
        upc_head = (f"i = {array.total} - 1; i >= 0; i--" if down else f"i = 0; i < {array.total}; i++")
        model_head = (f"i = {array.model_total} - 1; i >= 0; i--" if down else f"i = 0; i < {array.model_total}; i++")
        if kind == 0:
            affinity, owner = f"&{array.at(both(i))[0]}", array.owner(i)
        elif kind == 1:
            affinity, owner = "i", "i % T"
        elif kind == 2:
            other = r.choice(self.arrays)
            at = f"i % {other.total}", f"i % {other.model_total}"
            affinity, owner = f"&{other.at(at)[0]}", other.owner(at[1])
        elif kind == 3:
            scale = r.randint(2, 5)
            affinity, owner = f"(long long)i / {scale}", f"(i / {scale}) % T"
        else:
            inner = r.choice(["", "continue"])
            guard = f"if (upc_threadof(&{array.at(both(i))[0]}) != MYTHREAD) continue;"
            upc = f"upc_forall ({upc_head}; {inner}) {{ {guard} {upc_body} }}"
            return upc, f"for ({model_head}) {{ if ({array.owner(i)} != t) continue; {model_body} }}"
        skip = r.random() < 0.3
        text = "if (i % 5 == 2) continue; " if skip else ""
        upc = f"upc_forall ({upc_head}; {affinity}) {{ {text}{upc_body} }}"
        model = f"for ({model_head}) {{ if ({owner} != t) continue; {text}{model_body} }}"
        return upc, model

    def nested_loop(self, array):
        """Two upc_forall: the inner one's affinity has no meaning, also in a function of its own."""
        body = self.store(array, both("(i * n + j)"), "j")
        upc_body, model_body = " ".join(x for x, _ in body), " ".join(y for _, y in body)
        n = array.row * self.random.choice([1, 1, array.per_thread // array.row])
        rows, model_rows = f"{array.total} / n", f"{array.model_total} / n"
        inner = self.random.choice(["j", "i + j", f"&{array.at(both('(i * n + j)'))[0]}", "continue"])
        inner_upc = f"upc_forall (j = 0; j < n; j++; {inner}) {{ {upc_body} }}"
        inner_model = f"for (j = 0; j < n; j++) {{ {model_body} }}"
        call = f"{inner_upc}"
        if self.random.random() < 0.5:
            self.helpers += 1
            name = f"{self.prefix}inner{self.helpers}"
            self.functions.append(f"static void {name}(int i, int n) {{ int j; {inner_upc} }}")
            call = f"{name}(i, n);"
        upc = f"{{ int n = {n}; upc_forall (i = 0; i < {rows}; i++; i) {{ {call} }} }}"
        return upc, f"{{ int n = {n}; for (i = 0; i < {model_rows}; i++) {{ if (i % T != t) continue; {inner_model} }} }}"

    def one_thread(self, array):
        """One thread writes everything, by a pointer that it moves."""
        thread = self.random.randrange(3)
        walk = self.random.choice(["p++", "++p", "p += 1", "p = p + 1", "p = 1 + p"])
        value = self.value("i", 2)
        if array.element == "struct item":
            member = self.random.choice(["a", "f", "d", "g"])
            write, model_write = f"p->{member} = {value[0]};", f"m_{array.name}[i].{member} = {value[1]};"
        else:
            write, model_write = f"*p = {value[0]};", f"m_{array.name}[i] = {value[1]};"
        first = array.at(both("0"))[0]
        upc = (f"if (MYTHREAD == {thread} % THREADS) {{ {array.mode}shared {array.layout} {array.element} *p = &{first}; "
               f"for (i = 0; i < {array.total}; i++) {{ {write} {walk}; }} }}")
        return upc, f"if (t == {thread} % T) for (i = 0; i < {array.model_total}; i++) {{ {model_write} }}"

    def private_sum(self):
        """Every thread reads an array through a pointer that goes backwards or forwards."""
        array = self.random.choice(self.readable)
        v = f"{self.prefix}v"
        read = self.scalar(array, ("*p", f"m_{array.name}[i]")) if array.element != "struct item" else \
            self.scalar(array, ("(*p)", f"m_{array.name}[i]"))
        if self.random.random() < 0.5:
            last = array.at((f"{array.total} - 1", ""))[0]
            upc = (f"{{ {array.mode}shared {array.layout} {array.element} *p = &{last}; "
                   f"for (i = {array.total} - 1; i >= 0; i--, p--) {v} = ({v} * 3 + {read[0]}) & 1023; }}")
            return upc, f"for (i = {array.model_total} - 1; i >= 0; i--) v[t] = (v[t] * 3 + {read[1]}) & 1023;"
        first = array.at(both("0"))[0]
        upc = (f"{{ {array.mode}shared {array.layout} {array.element} *p = &{first}, *end = p + {array.total}; "
               f"for (; p != end; p++) {v} = ({v} * 5 + {read[0]}) & 1023; }}")
        return upc, f"for (i = 0; i < {array.model_total}; i++) v[t] = (v[t] * 5 + {read[1]}) & 1023;"

    def phase(self, number):
        written = self.random.sample(self.arrays, self.random.randint(1, min(2, len(self.arrays) - 1)))
        self.readable = [a for a in self.arrays if a not in written]
        # In a model that runs one thread after the other a private sum reads what is read only, as UPC does.
        kinds = [self.owned_loop, self.owned_loop, self.nested_loop, self.one_thread, self.linear_forall,
                 self.linear_forall, self.linear_forall, self.linear_for, self.linear_rows, self.linear_walk,
                 self.linear_walk]
        pairs = [self.random.choice(kinds + [self.straight_block] * (9 if array.element == "struct item" else 3))(array)
                 for array in written]
        if self.random.random() < 0.7:
            pairs.append(self.random.choice([self.private_sum, self.linear_sum])())
        self.random.shuffle(pairs)
        upc = "\n    ".join(x for x, _ in pairs)
        model = "\n        ".join(y for _, y in pairs)
        self.functions.append(f"static void {self.prefix}phase{number}(void) {{\n    long i, j;\n    (void)j;\n    {upc}\n}}")
        self.model.append(f"void {self.prefix}model{number}(int T, long *v) {{\n    long i, j;\n    int t;\n    (void)j;\n"
                          f"    for (t = 0; t < T; t++) {{\n        {model}\n    }}\n}}")

    def compare(self, number):
        lines = []
        for a in self.arrays:
            element = a.at(both("i"))
            same = f"same_item({element[0]}, {element[1]})" if a.element == "struct item" else f"{element[0]} == {element[1]}"
            lines.append(f"    for (i = 0; i < {a.total}; i++) if (!({same})) differs({self.seed}, {number}, \"{a.name}\", i);")
        lines.append(f"    for (i = 0; i < THREADS; i++) if ({self.prefix}sums[i] != v[i]) "
                     f"differs({self.seed}, {number}, \"private\", i);")
        return "\n".join(lines)

    def text(self, phases):
        """(UPC, model)"""
        for number in range(phases):
            self.phase(number)
        calls = []
        for number in range(phases):
            calls.append(f"    {self.prefix}phase{number}();\n    {self.prefix}sums[MYTHREAD] = {self.prefix}v;\n    upc_barrier;\n"
                         f"    if (MYTHREAD == 0) {{ {self.prefix}model{number}(THREADS, v);\n{self.compare(number)}\n    }}\n"
                         f"    upc_barrier {number};")
        body = "\n".join(calls)
        outside = [f"extern {a.model_declaration()}" for a in self.arrays]
        outside += [f"void {self.prefix}model{number}(int T, long *v);" for number in range(phases)]
        parts = ["#pragma upc c_code", *outside, "#pragma upc upc_code", *(a.declaration() for a in self.arrays),
                 f"static long {self.prefix}v;\nshared long {self.prefix}sums[THREADS];", *self.functions,
                 f"static void {self.prefix}run(void) {{\n    long i, v[MAX_THREADS] = {{0}};\n{body}\n}}\n"]
        return "\n".join(parts), "\n".join([a.model_declaration() for a in self.arrays] + self.model) + "\n"


def main():
    first, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    seeds = range(first, first + count)
    texts = [Program(seed).text(3) for seed in seeds]
    calls = "\n".join(f"    s{seed}_run();" for seed in seeds)
    with open(f"{folder}/program.upc", "w") as program:
        program.write(PROLOGUE + "\n".join(upc for upc, _ in texts))
        program.write(f"int main(void) {{\n    if (THREADS > MAX_THREADS) return 2;\n{calls}\n"
                      f"    if (MYTHREAD == 0 && !failed) puts(\"done\");\n    return failed;\n}}\n")
    with open(f"{folder}/model.c", "w") as model:
        model.write(COMMON + "\n".join(text for _, text in texts))


if __name__ == "__main__":
    main()
