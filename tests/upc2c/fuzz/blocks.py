# SPDX-License-Identifier: BSD-3-Clause
"""Random straight code that reads several elements of a shared array, or members of them, with stores, changes of what
names the elements, calls and fences in between, for programs.py: what the translator fetches together, and what it must
not; and what it reads and finds once, also for a loop, and what it must not.

Two pointers and two indices name elements of one array, often the same one. The code is run by one thread, for a few
elements, or by every thread for its own ones, and then stores through a private pointer too.
"""

from loops import flat

FIELDS = [".a", ".b[0]", ".b[1]", ".b[2]", ".d", ".in.x", ".f", ".g"]  # of struct item


class StraightBlocks:
    """For the class Program of programs.py, which has random values and names."""

    def element_read(self, objects):
        r = self.random
        field = r.choice(self.fields + [".b[x % 3]"]) if self.fields != [""] else ""
        return tuple(f"((long){text}{field} & 1023)" for text in r.choice(objects))

    def element_reads(self, view, count, own):
        """Reads of mostly one structure."""
        r = self.random
        objects = [("(*p)", "(*p)"), ("p[0]", "p[0]"), ("(*q)", "(*q)")]
        objects += [view.at(("i", "i")), view.at(("j", "j"))] if not own else [view.at(("i", "i"))]
        favourite = r.choice(objects)
        return [self.element_read([favourite] if r.random() < 0.7 else objects) for _ in range(count)]

    def element_target(self, view, own):
        r = self.random
        objects = [("(*p)", "(*p)"), ("(*q)", "(*q)"), view.at(("i", "i"))]
        if own:
            objects += [("(*l)", "(*p)")] * 2
        field = r.choice(self.fields)
        return tuple(f"{text}{field}" for text in r.choice(objects))

    def element_loop(self, view, own, number):
        """A loop of a few statements whose elements it may read in every iteration."""
        r = self.random
        inner = []
        for part in range(r.randint(1, 3)):
            inner += self.element_statement(view, own, f"{number}_{part}", False)
        limit = self.element_read([view.at(("i", "i")), ("(*q)", "(*q)")])
        form = r.choice(["for (k = 0; k < 3; k++) {{ {body} }}", "k = 0; while (k < 3) {{ {body} k++; }}",
                         "k = 0; do {{ {body} }} while (++k < 3);",
                         "for (k = 0; k < 1 + ({limit} & 3); k++) {{ {body} }}",
                         "k = 0; while (k <= ({limit} & 3) && ++k) {{ {body} }}",
                         "for (k = 3; k--; ) {{ if ((x ^ k) & 1) continue; {body} }}",
                         "for (k = 0; k < 4; k++) {{ {body} if ({limit} + k > 40) break; }}"])
        return [tuple(form.format(body=" ".join(pair[side] for pair in inner), limit=limit[side]) for side in (0, 1))]

    def element_statement(self, view, own, number, loops=True):
        r = self.random
        a, b, c = self.element_reads(view, 3, own)
        moves = ["i = (i + 1) % n;", "j = i;", "p = q;", "q = p;", "x = (x * 3 + j) & 1023;"]
        kind = r.randrange(22 if loops else 19)
        if kind >= 19:
            return self.element_loop(view, own, number)
        if kind >= 16:
            target = self.element_target(view, own)
            form = r.choice(["x = (x + {a} * {a}) & 1023; {t} = ((long){t} + {a}) & 63; x = (x ^ {a}) & 1023;",
                             "if ({a} > x) x = {a}; else if ({a} < {b}) x = (x + {a} * {b}) & 1023;",
                             "if ({a} > {b}) {{ x = {a}; {t} = {c} & 63; x ^= {a} + {b}; }} else x = ({a} + {c}) & 1023;",
                             "if ({t} < 30) {t} += 2; else if ({a} & 1) {{ {t} = {a} & 31; x = (x + (long){t}) & 1023; }}",
                             "{t} = {a} & 63; {t} = ((long){t} + {b}) & 63; x = (x + {a} + (long){t}) & 1023;"])
            return [tuple(form.format(t=t, a=x, b=y, c=z) for t, x, y, z in zip(target, a, b, c))]
        if kind < 4:
            form = r.choice(["x = (x + {} + {} * 3 + {}) & 1023;", "long y{n} = {} ^ {}; x = (x + y{n} * {}) & 1023;",
                             "x = (x ^ {}); x = (x + {}); x = (x * {}) & 1023;", "x = mix({}, {}, x + {});"])
            return [tuple(form.format(*texts, n=number) for texts in zip(a, b, c))]
        if kind < 7:
            target = self.element_target(view, own)
            form = r.choice(["{t} = ({a} + x) & 63; x = ({b} + {c}) & 1023;", "{t} = ({a} + {b} + {c}) & 63;",
                             "{t} = ((long){t} + {a} + {b}) & 63;", "x = ({t} = {a} & 31), x += {b};"])
            return [tuple(form.format(t=t, a=x, b=y, c=z) for t, x, y, z in zip(target, a, b, c))]
        if kind == 7:
            target = self.element_target(view, own)
            step = r.choice(["++{0};", "{0}--;", "{0} += 2;"])
            return [tuple(f"{t} = {x} & 31; {step.format(t)} x = ({x} + {y}) & 1023;"
                          for t, x, y in zip(target, a, b))]
        if kind < 10 and not own:
            return [(text, text) for text in [r.choice(moves)]]
        if kind == 10 and not own:
            upc, model = view.at(("j", "j"))
            return [(f"p = &{upc};", f"p = &{model};")]
        if kind == 11:
            form = r.choice(["x = {} > {} ? {} : x;", "x = (x & 1) && {} > {} ? {} & 1023 : (x ^ 5);",
                             "if ({} + {} > 40) x = {};", "if ((x & 1) || {} < {}) x ^= {}; else x = (x + 7) & 1023;"])
            return [tuple(form.format(*texts) for texts in zip(a, b, c))]
        if kind == 12 and not own:
            return [tuple(f"x = {x}, i = (i + 1) % n, x = (x + {y} * 3 + {z}) & 1023;" for x, y, z in zip(a, b, c))]
        if kind == 13:
            self.helpers += 1
            name, field = f"{self.prefix}touch{self.helpers}", r.choice(self.fields)
            self.functions.append(f"__attribute__((noinline)) static void {name}({self.pointer_type} o) "
                                  f"{{ (*o){field} = {self.helpers & 15}; }}")
            which = r.choice(["p", "q"])
            return [tuple(f"x = ({x} + {y}) & 1023; {call} x = (x * {z} + {x}) & 1023;" for x, y, z, call in
                          zip(a, b, c, (f"{name}({which});", f"(*{which}){field} = {self.helpers & 15};")))]
        if kind == 14 and loops:  # its variable is that of a loop around it
            return [tuple(f"for (k = 0; k < 3; k++) x = (x + {x} * {y} + k) & 1023; {after}" for x, y, after in
                          zip(a, b, ("upc_fence;", "")))]
        if r.random() < 0.5:
            return [tuple(f"{{ {pointer}p = q; x = (x + {x} + {y}) & 1023; p = &{e}; x = (x * {z} + {x}) & 1023; }}"
                          for x, y, z, e, pointer in
                          zip(a, b, c, view.at(("i", "i")), (self.pointer_type, f"{self.element} *")))]
        return [tuple(f"do x = ({x} + {y} * {z}) & 1023; while (0);" for x, y, z in zip(a, b, c))]

    def straight_block(self, array):
        r = self.random
        own = r.random() < 0.4
        view = flat(array)
        self.element = array.element
        self.fields = FIELDS if array.element == "struct item" else [""]
        self.pointer_type = f"{array.mode}shared {array.layout} {array.element} *"
        pairs = []
        for number in range(r.randint(4, 12)):
            pairs += self.element_statement(view, own, number)
        v = f"{self.prefix}v"
        first = view.at(("i", "i"))
        start, total = r.randrange(array.per_thread), (array.total, array.model_total)
        out = []
        for side in (0, 1):
            body = " ".join(pair[side] for pair in pairs)
            pointer = (self.pointer_type, f"{array.element} *")[side]
            name, thread, threads = ((v, "MYTHREAD", "THREADS"), ("v[t]", "t", "T"))[side]
            private = f"{array.element} *l = ({array.element} *)p; " if own and side == 0 else ""
            second = f"&{first[side]}" if own else f"&{view.at(('j', 'j'))[side]}"
            inner = (f"long x = {name}, k, j = (i + {start}) % n; {pointer}p = &{first[side]}, {'*' if side else ''}"
                     f"{'' if side else '*'}q = {second}; {private}(void)j; (void)k; (void)q; {body} "
                     f"{name} = x & 1023;")
            loop = f"for (i = 0; i < n; i += 1 + n / 5) {{ long saved = i; {inner} i = saved; }}"
            if own:
                owner = (f"upc_threadof(&{first[0]}) != MYTHREAD", f"{array.owner('i')} != t")[side]
                loop = f"for (i = 0; i < n; i++) {{ if ({owner}) continue; {inner} }}"
                out.append(f"{{ long i, n = {total[side]}; {loop} }}")
            else:
                out.append(f"if ({thread} == {start} % {threads}) {{ long i, n = {total[side]}; {loop} }}")
        return tuple(out)
