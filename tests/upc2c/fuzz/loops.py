# SPDX-License-Identifier: BSD-3-Clause
"""Random loops over shared arrays whose index is linear in the variable of the loop, for programs.py: what the
optimiser of loops transforms, and what is like it and must stay. Each is a pair of texts, for UPC and for the model.

The variable has any integer type, goes up or down to any kind of bound by any step, and is compared after the loop.
An element is accessed by its array, or by a pointer into the middle of it. Each element is written once.
"""

import copy

SIGNED = ["int", "int", "long", "long long", "short"]
UNSIGNED = ["unsigned", "unsigned long"]


def flat(array, pointer=None, start=0):
    """The array with one dimension; or through `pointer`, which points to element `start`."""
    view = copy.copy(array)

    def at(index):
        upc, model = index
        if pointer:
            upc_element = f"{pointer}[(long){upc} - {start}]" if start else f"{pointer}[{upc}]"
        elif array.row > 1:
            upc_element = f"(&{array.name}[0][0])[{upc}]"
        else:
            upc_element = f"{array.name}[{upc}]"
        return upc_element, f"m_{array.name}[{model}]"

    view.at = at
    return view


class Head:
    """A loop over the elements 0, d, 2 * d ... of an array: its head, and the index of an iteration's element."""

    def __init__(self, random, array):
        r = random
        self.type = r.choice(SIGNED * 2 + UNSIGNED)
        signed = self.type in SIGNED
        self.distance = r.choice([1, 1, 1, 1, 2, 3])
        self.step = r.choice([1, 1, 1, 2, 3] + ([-1, -1, -2] if signed else []))
        self.first = r.choice([0, 0, 0, 1, 4] + ([-3] if signed else []))
        self.mirrored = signed and r.random() < 0.2
        self.empty = r.random() < 0.05
        self.relation = r.randrange(4)
        self.swapped = r.random() < 0.2
        self.increment = r.randrange(3)
        self.total = array.total, array.model_total
        self.shared_bound = r.random() < 0.3

    def texts(self):
        """(UPC, model). The bound may be read from a shared object."""
        upc, model = (self.text(total) for total in self.total)
        if self.shared_bound:
            upc = upc.replace(f"{self.total[0]} /", f"({self.total[0]} + ({self.type})zeros[MYTHREAD]) /")
        return upc, model

    def text(self, total):
        low, end = f"{self.first}", f"{self.first} + {total} / {self.distance}"
        if self.empty:
            end = low
        if self.step > 0:
            start = low
            relation, bound = [("<", end), ("<=", f"{end} - 1"), ("!=", end), ("<", end)][self.relation]
            if relation == "!=" and self.step != 1 or relation == "<=" and self.type in UNSIGNED:  # 0 - 1
                relation, bound = "<", end
        else:
            start = f"{end} - 1"
            relation, bound = [(">=", low), (">", f"{low} - 1"), ("!=", f"{low} - 1"), (">=", low)][self.relation]
            if relation == "!=" and self.step != -1:
                relation, bound = ">=", low
        condition = f"i {relation} {bound}"
        if self.swapped:
            other = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}[relation]
            condition = f"{bound} {other} i"
        amount = abs(self.step)
        sign = "+" if self.step > 0 else "-"
        step = [f"i {sign}= {amount}", f"i = i {sign} {amount}", f"i {sign}= {amount}"][self.increment]
        if amount == 1 and self.increment < 2:
            step = [f"i{sign}{sign}", f"{sign}{sign}i"][self.increment]
        return f"i = {start}; {condition}; {step}"

    def value(self):
        """A number that is not negative."""
        return "i" if self.first >= 0 else f"(i + {-self.first})"

    def index(self):
        """(UPC, model)"""
        return tuple(self.index_text(total) for total in self.total)

    def index_text(self, total):
        d, first = self.distance, self.first
        product = "i" if d == 1 else f"{d} * i"
        if self.mirrored:
            return f"({total} - 1 + {d * first} - {product})"
        if first == 0:
            return f"({product})"
        return f"({product} - {d * first})"


class LinearLoops:
    """For the class Program of programs.py, which has random values, stores and names."""

    def view(self, array):
        """The array, or a pointer into it: (view, declaration of the pointer)."""
        if self.random.random() < 0.6:
            return flat(array), ""
        start = self.random.randrange(array.per_thread)
        name = f"q_{array.name}"
        first = flat(array).at((str(start), ""))[0]
        return (flat(array, name, start),
                f"{array.mode}shared {array.layout} {array.element} *{name} = &{first}; ")

    def copied(self, target, index):
        """A statement whose reads decide nothing, from arrays that have the element too; or None."""
        if target.element == "struct item":
            return None
        sources = [a for a in self.readable if a.element != "struct item" and a.per_thread >= target.per_thread and
                   (a.block != "[]" or target.block == "[]")]
        if not sources:
            return None
        a, b = flat(self.random.choice(sources)).at(index), flat(self.random.choice(sources)).at(index)
        operator = self.random.choice(["=", "=", "+= 0 *"])
        return tuple(f"{x} {operator} ((long){y} * 1 + 0 * (long){z});" for x, y, z in zip(target.at(index), a, b))

    def guarded(self, index):
        """A read beside the element, where there is one."""
        source = self.random.choice(self.readable)
        beside = self.random.randint(-2, 2)
        at = tuple(f"({text} + {beside})" for text in index)
        value = self.scalar(source, flat(source).at(at))
        return (f"({at[0]} >= 0 && {at[0]} < {source.total} ? {value[0]} : 5)",
                f"({at[1]} >= 0 && {at[1]} < {source.model_total} ? {value[1]} : 5)")

    def linear_body(self, view, index, value="i"):
        """Statements that write one element: (UPC, model)."""
        r = self.random
        statement = self.copied(view, index) if r.random() < 0.4 else None
        pairs = [statement] if statement else self.store(view, index, value)
        if r.random() < 0.4:
            value = self.guarded(index)
            pairs.append((f"{self.prefix}v = ({self.prefix}v + {value[0]}) & 1023;",
                          f"v[t] = (v[t] + {value[1]}) & 1023;"))
        return " ".join(x for x, _ in pairs), " ".join(y for _, y in pairs)

    def after(self):
        """What the variable is after the loop."""
        return f" {self.prefix}v = ({self.prefix}v + (long)i) & 1023;", " v[t] = (v[t] + (long)i) & 1023;"

    def whole(self, kind, declaration, loop, model):
        after = self.after() if self.random.random() < 0.7 else ("", "")
        return f"{{ {kind} i; {declaration}{loop}{after[0]} }}", f"{{ {kind} i; {model}{after[1]} }}"

    def owners(self, head, view, array, index):
        """An affinity and its owner in the model."""
        r = self.random
        kind = r.randrange(6)
        if kind < 3:
            return f"&{view.at(index)[0]}", array.owner(index[1])
        if kind == 3:
            others = [a for a in self.arrays if a.per_thread >= array.per_thread and
                      (a.block != "[]" or array.block == "[]")]
            other = r.choice(others)
            return f"&{flat(other).at(index)[0]}", other.owner(index[1])
        scale = r.choice([1, 1, 2, 3, 4] + ([-1, -2] if head.type in SIGNED else []))
        value = "i" if scale == 1 else f"{scale} * i + {r.randrange(4) + 8}"
        return value, f"(int)((((long)({value})) % T + T) % T)"

    def linear_forall(self, array):
        """upc_forall in steps of any kind."""
        head = Head(self.random, array)
        index = head.index()
        view, declaration = self.view(array)
        affinity, owner = self.owners(head, view, array, index)
        upc_body, model_body = self.linear_body(view, index, head.value())
        skip = "if (i % 7 == 3) continue; " if self.random.random() < 0.2 else ""
        upc_head, model_head = head.texts()
        return self.whole(head.type, declaration, f"upc_forall ({upc_head}; {affinity}) {{ {skip}{upc_body} }}",
                          f"for ({model_head}) {{ if ({owner} != t) continue; {skip}{model_body} }}")

    def linear_for(self, array):
        """A plain loop of one thread, or of all in steps of THREADS."""
        r = self.random
        if r.random() < 0.4:
            view, declaration = self.view(array)
            upc_body, model_body = self.linear_body(view, ("i", "i"))
            return self.whole("int", declaration,
                              f"for (i = MYTHREAD; i < {array.total}; i += THREADS) {{ {upc_body} }}",
                              f"for (i = t; i < {array.model_total}; i += T) {{ {model_body} }}")
        head = Head(r, array)
        view, declaration = self.view(array)
        upc_body, model_body = self.linear_body(view, head.index(), head.value())
        upc_head, model_head = head.texts()
        thread = r.randrange(3)
        upc, model = self.whole(head.type, declaration, f"for ({upc_head}) {{ {upc_body} }}",
                                f"for ({model_head}) {{ {model_body} }}")
        return f"if (MYTHREAD == {thread} % THREADS) {upc}", f"if (t == {thread} % T) {model}"

    def linear_walk(self, array):
        """A pointer that walks through the elements, or a second variable, beside `i` or as the variable of the loop."""
        r = self.random
        name = f"w_{array.name}"
        alone = r.random() < 0.7
        d = r.choice([1, 1, 1, 2, 3]) if alone else "THREADS"
        first = "0" if alone else "MYTHREAD"
        steps = [f"{name} += {d}", f"{name} = {name} + {d}"] + ([f"{name}++", f"++{name}"] if d == 1 else [])
        step, form, total = r.choice(steps), r.randrange(7 if alone and d == 1 else 6), array.total
        declaration = (f"{array.mode}shared {array.layout} {array.element} *{name} = "
                       f"&{flat(array).at((first, ''))[0]}; ")
        element = f"{name}[-{d}]" if form == 2 else r.choice([f"(*{name})", f"{name}[0]"])
        head, last = f"i = {first}; i < {total}; i += {d}", ""
        if form == 4:  # the pointer is the variable
            head, last = f"i = {first}; {name} < &{flat(array).at(('0', ''))[0]} + {total}; {step}", f" i += {d};"
        elif form == 5:  # an index
            declaration = f"int {name} = {first}; "
            element = flat(array).at((name, ""))[0]
        view = copy.copy(array)
        view.at = lambda index: (element, f"m_{array.name}[{index[1]}]")
        upc_body, model_body = self.linear_body(view, ("i", "i"))
        if form == 2:
            upc_body = f"{step}; {upc_body}"
        elif form in (1, 5):
            upc_body += f" {step};"
        elif form in (0, 3):
            head += f", {step}"
        start, model_d = ("0", d) if alone else ("t", "T")
        loop = f"for ({head}) {{ {upc_body}{last} }}"
        if form == 6:  # as many as a counter says
            declaration += f"long n = {total}; i = 0; "
            loop = f"while (n--) {{ {upc_body} {step}; i++; }}"
        upc, model = self.whole("int", declaration, loop,
                                f"for (i = {start}; i < {array.model_total}; i += {model_d}) {{ {model_body} }}")
        if not alone:
            return upc, model
        thread = r.randrange(3)
        return f"if (MYTHREAD == {thread} % THREADS) {upc}", f"if (t == {thread} % T) {model}"

    def linear_rows(self, array):
        """Rows by the owners of their first elements, and in them a loop over the elements."""
        view, declaration = self.view(array)
        n = self.random.choice([d for d in range(1, array.per_thread + 1) if array.per_thread % d == 0])
        index = f"(r * {n} + i)"
        upc_body, model_body = self.linear_body(view, (index, index))
        inner = self.random.choice(["upc_forall (i = 0; i < {}; i++; i)", "for (i = 0; i < {}; i++)"]).format(n)
        upc = (f"upc_forall (int r = 0; r < {array.total} / {n}; r++; &{view.at((f'r * {n}', ''))[0]}) "
               f"{inner} {{ {upc_body} }}")
        model = (f"for (int r = 0; r < {array.model_total} / {n}; r++) {{ if ({array.owner(f'r * {n}')} != t) continue; "
                 f"for (i = 0; i < {n}; i++) {{ {model_body} }} }}")
        return f"{{ int i; {declaration}{upc} }}", f"{{ int i; {model} }}"

    def linear_sum(self):
        """Every thread adds up an array that nobody writes."""
        array = self.random.choice(self.readable)
        head = Head(self.random, array)
        view, declaration = self.view(array)
        element = view.at(head.index())
        if array.element == "struct item":
            element = tuple(text + ".d" for text in element)
        upc_head, model_head = head.texts()
        upc, model = self.whole(head.type, declaration, f"for ({upc_head}) s += (long){element[0]};",
                                f"for ({model_head}) s += (long){element[1]};")
        return (f"{{ long s = 0; {upc} {self.prefix}v = ({self.prefix}v + s) & 1023; }}",
                f"{{ long s = 0; {model} v[t] = (v[t] + s) & 1023; }}")
