# SPDX-License-Identifier: BSD-3-Clause
"""UPC in gdb: (gdb) source <prefix>/share/upcr/gdb/upc.py

Pointers-to-shared are printed with their fields and their type in UPC. New commands:
  upc-print [-r] EXPRESSION   a shared object, its elements and members, and what pointers-to-shared point to
  upc-objects                 the shared objects with static storage duration
  upc-threads                 the UPC thread of each thread of this process
and functions for conditions: $upc_mythread(), $upc_threads(), as in: break heat.upc:40 if $upc_mythread() == 2
Memory that is not mapped into this process is fetched with -r only, by a call of the runtime, for which the owner
must run.
"""
import re
import struct

import gdb

POINTER_TYPE = re.compile(r"^(upc_p(G|I|\d+)(_\w+)?|upcr_p?shared_ptr_t)$")


class Memory:
    """Where the runtime has mapped shared memory: struct upcri_window of <upcr/window.h>."""

    def __init__(self):
        address = int(gdb.parse_and_eval("(unsigned long)&upcri_window"))
        raw = bytes(gdb.selected_inferior().read_memory(address, 40))
        self.first, self.span, self.base, self.bases, self.threads = struct.unpack("=QQQQI", raw[:36])

    def address(self, pointer):
        """The address of what the pointer points to; None where it is not mapped."""
        if not pointer.packed:
            if self.bases == 0 or pointer.thread >= self.threads:
                return None
            raw = bytes(gdb.selected_inferior().read_memory(self.bases + 8 * pointer.thread, 8))
            base = struct.unpack("=Q", raw)[0]
            return base + pointer.offset if base else None
        distance = (pointer.phaseless() - self.first) % 2**64
        return self.base + distance if distance < self.span else None


class Layout:
    """The widths of the packed form, from the identification string that every program contains."""
    cached = None

    @classmethod
    def bits(cls):
        if cls.cached is None:
            text = gdb.parse_and_eval("(char *)&upcri_ident_link_config").string()
            found = re.search(r"SHAREDPTRREP=packed/p(\d+):t(\d+):a(\d+)", text)
            cls.cached = tuple(int(n) for n in found.groups()) if found else (20, 10, 34)
        return cls.cached


class Pointer:
    """A pointer-to-shared: thread, phase, offset in the thread's shared memory."""

    def __init__(self, packed, thread, phase, offset):
        self.packed, self.thread, self.phase, self.offset = packed, thread, phase, offset

    @classmethod
    def of(cls, value):
        plain = value.type.strip_typedefs()
        if plain.code == gdb.TYPE_CODE_STRUCT:
            fields = [f.name for f in plain.fields()]
            phase = int(value["s_phase"]) if "s_phase" in fields else 0
            return cls(False, int(value["s_thread"]), phase, int(value["s_addr"]))
        phase_bits, thread_bits, offset_bits = Layout.bits()
        word = int(value) % 2**64
        return cls(True, word >> offset_bits & (1 << thread_bits) - 1, word >> offset_bits + thread_bits,
                   word & (1 << offset_bits) - 1)

    @classmethod
    def at(cls, address, size):
        """The one that is stored at an address of this process, in `size` bytes."""
        raw = bytes(gdb.selected_inferior().read_memory(address, size))
        if size == 16:
            offset, thread, phase = struct.unpack("=QII", raw)
            return cls(False, thread, phase, offset)
        return cls.of(gdb.Value(struct.unpack("=Q", raw)[0]))

    def phaseless(self):
        return self.thread << Layout.bits()[2] | self.offset

    def is_null(self):
        return self.thread == 0 and self.offset == 0

    def moved(self, index, block, size, threads):
        """`index` elements of `size` bytes further, in blocks of `block` elements (0: indefinite)."""
        if block == 0:
            return Pointer(self.packed, self.thread, 0, self.offset + index * size)
        position = self.thread * block + self.phase + index
        row, rest = divmod(position, block * threads)
        thread, phase = divmod(rest, block)
        return Pointer(self.packed, thread, phase, self.offset + (row * block + phase - self.phase) * size)

    def __str__(self):
        if self.is_null():
            return "NULL"
        phase = f", phase {self.phase}" if self.phase else ""
        return f"{{thread {self.thread}{phase}, offset {self.offset:#x}}}"


def block_and_element(name):
    """Of the name of a type of pointers-to-shared: the block size and the element type in UPC, or None."""
    found = re.match(r"^upc_p(I|\d+)_(\w+)$", name)
    if not found:
        return None
    return (0 if found.group(1) == "I" else int(found.group(1))), found.group(2)


def layout_text(block):
    return "shared [] " if block == 0 else "shared " if block == 1 else f"shared [{block}] "


def pointer_type_text(name):
    known = block_and_element(name)
    if known is None:
        return "shared void *"
    return f"{layout_text(known[0])}{element_type(known[1]) or known[1]} *"


class PointerPrinter:
    def __init__(self, value, name):
        self.value, self.name = value, name

    def to_string(self):
        return f"{Pointer.of(self.value)} {pointer_type_text(self.name)}"


def pointer_type_name(kind):
    """The name of a type of pointers-to-shared among the typedefs of `kind`; the most telling one, or None."""
    while kind.code == gdb.TYPE_CODE_TYPEDEF:
        if POINTER_TYPE.match(kind.name or ""):
            return kind.name
        kind = kind.target()
    return None


def find_printer(value):
    name = pointer_type_name(value.type)
    return PointerPrinter(value, name) if name else None


QUALIFIERS = r"^(?:strict |relaxed |const |volatile |shared |\[[^\]]*\] ?)*"


def counts(dimensions, threads):
    """Of texts such as "4" and "2*THREADS"."""
    result = []
    for text in dimensions:
        count = 1
        for factor in text.split("*"):
            count *= threads if factor.strip() == "THREADS" else int(factor)
        result.append(count)
    return result


def product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


class Object:
    """A shared object with static storage duration, from a table of UPCRI_ALLOC_* (upcr_startup_shalloc_t)."""

    def __init__(self, row):
        self.name, self.text = row["namestr"].string(), row["typestr"].string()
        self.size = int(row["elemsz"])
        phased = "sptr_addr" in [f.name for f in row.type.strip_typedefs().fields()]
        proxy = row["sptr_addr" if phased else "psptr_addr"].dereference()
        self.pointer = Pointer.of(proxy)
        self.block = int(row["blockbytes"]) // self.size
        if not phased and self.block != 1:
            self.block = 0
        self.blocks, self.times_threads = int(row["numblocks"]), bool(int(row["mult_by_threads"]))
        self.block_elements = int(row["blockbytes"]) // self.size
        # The object's own qualifiers stand behind the last *, or else before the element type.
        found = re.match(r"^(.*\*)\s*(?:(?:strict|relaxed|const|volatile|shared)\s*)*((?: ?\[[^\]]*\])*)$"
                         if "*" in re.sub(r"\[[^\]]*\]", "", self.text) else QUALIFIERS + r"(.*?)((?: ?\[[^\]]*\])*)$", self.text)
        self.element = (found.group(1) if found else self.text).strip()
        self.dimensions = re.findall(r"\[([^\]]*)\]", found.group(2)) if found else []

    def extents(self, threads):
        """The number of elements in each dimension."""
        dimensions = self.dimensions
        if dimensions and "*" in self.element:  # the first brackets may be those of a layout
            capacity = self.block_elements * self.blocks * (threads if self.times_threads else 1)
            if dimensions[0] == "" or product(counts(dimensions, threads)) > capacity:
                dimensions = dimensions[1:]
        return counts(dimensions, threads)


def static_symbols(function):
    symbol = gdb.lookup_global_symbol(function)
    if symbol is None:
        return
    block = gdb.block_for_pc(int(symbol.value().address))
    while block is not None and not block.is_global and not block.is_static:
        for inner in block:
            yield inner
        block = block.superblock


def objects():
    listing = gdb.execute("info functions -q -n ^UPCRI_ALLOC_", to_string=True)
    for function in sorted(set(re.findall(r"\b(UPCRI_ALLOC_\w+)", listing))):
        for symbol in static_symbols(function):
            kind = symbol.type.strip_typedefs()
            if kind.code != gdb.TYPE_CODE_ARRAY or not re.match(r"upcr_startup_p?shalloc_t", str(kind.target())):
                continue
            table = symbol.value()
            for i in range(kind.range()[1] + 1):
                yield Object(table[i])


class Place:
    """What an expression denotes: shared memory of an element type, with the dimensions that are left."""

    def __init__(self, pointer, element, block, size, extents=()):
        self.pointer, self.element, self.block, self.size, self.extents = pointer, element, block, size, extents

    def index(self, i, threads):
        rest = 1
        for extent in self.extents[1:]:
            rest *= extent
        moved = self.pointer.moved(i * rest, self.block, self.size, threads)
        return Place(moved, self.element, self.block, self.size, self.extents[1:])


def element_type(text):
    """gdb's type of an element, or None where the program has no such name."""
    if "*" in text:
        return None
    for name in (text, "struct " + text, "union " + text, "enum " + text):
        try:
            return gdb.lookup_type(name)
        except gdb.error:
            pass
    words = {"unsigned_int": "unsigned int", "unsigned_char": "unsigned char", "unsigned_long": "unsigned long",
             "long_long": "long long", "unsigned_short": "unsigned short", "long_double": "long double",
             "unsigned_long_long": "unsigned long long", "signed_char": "signed char"}
    return gdb.lookup_type(words[text]) if text in words else None


class Evaluator:
    """name, name[i][j], name.member, name->member, *name, with indices in C; and parentheses nowhere else."""

    def __init__(self, remote):
        self.remote, self.memory = remote, Memory()

    def evaluate(self, text):
        text = text.strip()
        if text.startswith("*"):
            return self.follow(self.read(self.evaluate(text[1:])))
        found = re.match(r"^[A-Za-z_]\w*", text)
        if not found:
            raise gdb.GdbError("upc-print: a name with [...], .member and ->member is expected, * before it")
        place, at = self.named(found.group()), found.end()
        while at < len(text):
            index = self.subscript(text, at)
            member = re.compile(r"\s*(\.|->)\s*([A-Za-z_]\w*)").match(text, at)
            if index is not None:
                place, at = self.at_index(place, index[0]), index[1]
            elif member:
                if member.group(1) == "->":
                    place = self.follow(self.read(place))
                place, at = self.member(place, member.group(2)), member.end()
            else:
                raise gdb.GdbError(f"upc-print: not understood: {text[at:]}")
        return place

    def named(self, name):
        for known in objects():
            if known.name == name:
                return Place(known.pointer, known.element, known.block, known.size,
                             known.extents(self.memory.threads))
        return gdb.parse_and_eval(name)

    @staticmethod
    def subscript(text, at):
        if at >= len(text) or text[at] != "[":
            return None
        depth = 0
        for end in range(at, len(text)):
            depth += {"[": 1, "]": -1}.get(text[end], 0)
            if depth == 0:
                return int(gdb.parse_and_eval(text[at + 1:end])), end + 1
        raise gdb.GdbError("upc-print: a ] is missing")

    def at_index(self, place, index):
        if isinstance(place, Place) and place.extents:
            return place.index(index, self.memory.threads)
        value = self.read(place) if isinstance(place, Place) else place
        if pointer_type_name(value.type):
            return self.follow(value).index(index, self.memory.threads)
        return value[index]

    def follow(self, value):
        name = pointer_type_name(value.type)
        if name is None:
            return value.dereference()
        known = block_and_element(name)
        if known is None:
            raise gdb.GdbError("upc-print: a generic pointer-to-shared (shared void *) has no element type")
        kind = element_type(known[1])
        if kind is None:
            raise gdb.GdbError(f"upc-print: the program has no type '{known[1]}'")
        return Place(Pointer.of(value), kind, known[0], kind.sizeof)

    def member(self, place, name):
        if not isinstance(place, Place):
            return place[name]
        if place.extents:
            raise gdb.GdbError(f"upc-print: an array has no member '{name}'")
        return self.read(place)[name]

    def read(self, place):
        """The value of one element."""
        if not isinstance(place, Place):
            return place
        kind = place.element if isinstance(place.element, gdb.Type) else element_type(place.element)
        if kind is None:
            return self.unnamed(place)
        address = self.memory.address(place.pointer)
        if address is None:
            address = self.fetch(place.pointer, kind.sizeof)
        return gdb.Value(address).cast(kind.pointer()).dereference()

    def unnamed(self, place):
        """An element whose type is a pointer: a pointer-to-shared if it was declared so, or a private one."""
        address = self.memory.address(place.pointer)
        if address is None:
            address = self.fetch(place.pointer, place.size)
        before = place.element[:place.element.rindex("*")]
        name = None
        if "shared" in before:
            layout = re.search(r"shared \[(\d*)\]", before)
            kind = "1" if layout is None else layout.group(1) or "I"
            element = re.sub(r"(shared|strict|relaxed|const|volatile|struct|union|enum|\[\d*\])\s*", "", before).strip()
            name = "upc_pG" if element == "void" else f"upc_p{kind}_{element.replace(' ', '_')}"
        for candidate in (name, "upcr_shared_ptr_t" if name else None, "void *"):
            if candidate is None:
                continue
            try:
                kind = gdb.lookup_type("void").pointer() if candidate == "void *" else gdb.lookup_type(candidate)
            except gdb.error:
                continue
            return gdb.Value(address).cast(kind.pointer()).dereference()
        return None

    def fetch(self, pointer, size):
        if not self.remote:
            raise gdb.GdbError(f"upc-print: {pointer} is not mapped into this process; upc-print -r fetches it")
        if not pointer.packed:
            raise gdb.GdbError("upc-print: -r is for the packed layout of pointers-to-shared")
        buffer = int(gdb.parse_and_eval(f"((void *(*)(unsigned long))malloc)({size})"))
        call = "((void (*)(void *, unsigned long, long, unsigned long))upcri_get_any)"
        gdb.parse_and_eval(f"{call}((void *){buffer}, {pointer.phaseless()}UL, 0, {size})")
        return buffer

    def text(self, place):
        if not isinstance(place, Place) or not place.extents:
            return self.read(place).format_string()
        shown = min(place.extents[0], gdb.parameter("print elements") or 200)
        parts = [self.text(place.index(i, self.memory.threads)) for i in range(shown)]
        return "{" + ", ".join(parts) + ("..." if shown < place.extents[0] else "") + "}"


def mythread():
    return int(gdb.parse_and_eval("*(int *)&upcri_mythread_"))


class MyThread(gdb.Function):
    """MYTHREAD of the selected thread."""

    def __init__(self):
        super().__init__("upc_mythread")

    def invoke(self):
        return mythread()


class ThreadCount(gdb.Function):
    """THREADS."""

    def __init__(self):
        super().__init__("upc_threads")

    def invoke(self):
        return Memory().threads


class Print(gdb.Command):
    """upc-print [-r] EXPRESSION: a shared object, an element, a member, what a pointer-to-shared points to.
EXPRESSION is a name, followed by [index], .member and ->member, or * and such an expression.
-r: what is not mapped into this process is fetched by a get; its owner must be running."""

    def __init__(self):
        super().__init__("upc-print", gdb.COMMAND_DATA, gdb.COMPLETE_SYMBOL)

    def invoke(self, argument, from_tty):
        remote = argument.startswith("-r ")
        evaluator = Evaluator(remote)
        print(evaluator.text(evaluator.evaluate(argument[3:] if remote else argument)))


class Objects(gdb.Command):
    """upc-objects: the shared objects with static storage duration: name, type, pointer to the first element."""

    def __init__(self):
        super().__init__("upc-objects", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        for known in objects():
            print(f"{known.name}: {known.text} at {known.pointer}")


class Threads(gdb.Command):
    """upc-threads: the UPC thread that each thread of this process is, and THREADS."""

    def __init__(self):
        super().__init__("upc-threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        selected = gdb.selected_thread()
        print(f"THREADS is {Memory().threads}")
        for thread in sorted(gdb.selected_inferior().threads(), key=lambda t: t.num):
            thread.switch()
            mark = "*" if thread.num == selected.num else " "
            print(f"{mark} thread {thread.num} of gdb: MYTHREAD is {mythread()}")
        selected.switch()


gdb.pretty_printers.append(find_printer)
for definition in (Print, Objects, Threads, MyThread, ThreadCount):
    definition()
