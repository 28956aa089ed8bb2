// SPDX-License-Identifier: BSD-3-Clause
// Reads that are done together, as -Rupc reports them: members of one object, and several objects. And what
// must not be: what may change the object or what is read in between, conditions, accesses of other kinds.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/upc2c/support/lowered.hpp"

namespace {

const char* const kDeclarations = R"(
struct in { int x, y; };
struct node {
  int key; double w; shared struct node *next; char tag; unsigned bits : 3; int v[4]; struct in in, ins[3];
  volatile int vol; struct { int anonymous; }; char *text; long double wide; float far[70]; short last;
};
struct __attribute__((packed)) tight { char c; int k, l; };
union either { int i; struct in in; double d; };
struct holder { shared struct node *list; int n; };
typedef shared struct node *link_t;
shared struct node a[10 * THREADS], b[10 * THREADS], g;
shared [4] struct node blocked[8 * THREADS];
shared struct tight tights[THREADS];
shared union either e[THREADS];
strict shared struct node strict_nodes[THREADS];
link_t shared top;
shared int counts[THREADS];
struct node local;
link_t global;
int f(int, ...);
static int twice(int k) { return 2 * k; }
)";

upc2c::Translation translation(const std::string& statement, int level) {
  upc2c::TranslateOptions options;
  options.lower.file = "test.upc";
  options.lower.loops.level = level;
  options.warnings = {"-Rupc", "-w"};
  return upc2c::translate(
      std::string(kDeclarations) +
          "int tested(link_t p, link_t q, int i, int j, struct holder h, struct holder *ph, "
          "int *ip, shared [4] struct node *bp) { int k = 0; double s = 0; (void)k; (void)s;\n" +
          statement + "\nreturn 0; }\n",
      options);
}

// What is fetched together; one statement a line, the objects of one between semicolons.
std::string fetched(const std::string& statement, int level = 2) {
  const upc2c::Translation result = translation(statement, level);
  if (result.errors != 0) return "error: " + result.messages;
  std::string out;
  for (std::size_t at = 0; (at = result.messages.find("else fetched ", at)) != std::string::npos;) {
    at = result.messages.find(": ", at) + 2;
    out += (out.empty() ? "" : "\n") + result.messages.substr(at, result.messages.find(" [-Rupc]", at) - at);
  }
  return out;
}

// Statements that no read is moved across.
const char* const kOrders[] = {"upc_fence;",
                               "upc_barrier;",
                               "upc_notify; upc_wait;",
                               "f(1);",
                               "strict_nodes[0].key = 1;",
                               "k += strict_nodes[0].key;",
                               "strict_nodes[0].key;",
                               "__asm__(\"\");",
                               "again: ;",
                               "if (i) goto out;",
                               "for (; i; i--) ;",
                               "{ }",
                               "static int once = 1; (void)once;",
                               "enum { kNames = 1 };",
                               "struct tag { int names; };",
                               "struct tag;",
                               "k = sizeof(enum { kWithin = 1 });",
                               "struct outer { enum { kInside = 1 } names; } object; (void)object;"};

const char* const kKeyW = "'p->key', 'p->w'";

TEST(Members, OfOneObject) {
  EXPECT_EQ(fetched("s = p->key * p->w;"), kKeyW);
  EXPECT_EQ(fetched("s = p->key * p->w;", 1), "");
  EXPECT_EQ(fetched("k = p->key; s = p->w; q = p->next;"), "'p->key', 'p->w', 'p->next'");
  EXPECT_EQ(fetched("k = a[i].key; s = a[i].w;"), "'a[i].key', 'a[i].w'");
  EXPECT_EQ(fetched("k = a[2 * i + MYTHREAD].key; s = a[2 * i + MYTHREAD].w;"),
            "'a[2 * i + MYTHREAD].key', 'a[2 * i + MYTHREAD].w'");
  EXPECT_EQ(fetched("k = (*p).key + p->v[2] + (&*p)->in.x + (p)->ins[1].y;"),
            "'(*p).key', 'p->v[2]', '(&*p)->in.x', '(p)->ins[1].y'");
  EXPECT_EQ(fetched("k = bp[i].key + bp[i].tag;"), "'bp[i].key', 'bp[i].tag'");
  EXPECT_EQ(fetched("k = blocked[i].key + (blocked[i].anonymous);"),
            "'blocked[i].key', 'blocked[i].anonymous'");
  EXPECT_EQ(fetched("k = g.key + g.tag;"), "'g.key', 'g.tag'");
  EXPECT_EQ(fetched("k = a->key + a->tag;"), "'a->key', 'a->tag'");
  EXPECT_EQ(fetched("k = h.list->key + h.list->tag;"), "'h.list->key', 'h.list->tag'");
  EXPECT_EQ(fetched("k = p->ins[i].x + p->ins[i].y;"), "'p->ins[i].x', 'p->ins[i].y'");
  EXPECT_EQ(fetched("k = p->key + q->key + p->tag + q->tag;"), "'p->key', 'p->tag'; 'q->key', 'q->tag'");
  EXPECT_EQ(fetched("k = e[i].i + e[i].in.y;"), "'e[i].i', 'e[i].in.y'");
  EXPECT_EQ(fetched("int m[2] = {p->key, p->tag}; (void)m;"), "'p->key', 'p->tag'");
}

TEST(Members, InStatements) {
  EXPECT_EQ(fetched("if (p->key == p->tag) k = 1;"), "'p->key', 'p->tag'");
  EXPECT_EQ(fetched("k = p->key; if (p->tag) k = 1;"), "'p->key', 'p->tag'");
  EXPECT_EQ(fetched("switch (p->key + p->tag) { case 1: k = 1; }"), "'p->key', 'p->tag'");
  EXPECT_EQ(fetched("return p->key + p->tag;"), "'p->key', 'p->tag'");
  EXPECT_EQ(fetched("if (i) k = p->key + p->tag; else return p->key - p->tag;"),
            "'p->key', 'p->tag'\n'p->key', 'p->tag'");
  EXPECT_EQ(fetched("while (p) { s += p->w + p->key; p = p->next; }"), "'p->w', 'p->key', 'p->next'");
  EXPECT_EQ(fetched("for (; i; i--) k += a[i].key * a[i].tag;"), "'a[i].key', 'a[i].tag'");
  EXPECT_EQ(fetched("f(p->key, p->w);"), kKeyW);
  EXPECT_EQ(fetched("k = twice(p->key) + p->w;"), kKeyW);
  EXPECT_EQ(fetched("again: k = p->key + p->tag; goto again;"), "'p->key', 'p->tag'");
}

TEST(Members, FewAndFar) {
  EXPECT_EQ(fetched("k = p->key;"), "");
  EXPECT_EQ(fetched("k = p->key * p->key;"), "");
  EXPECT_EQ(fetched("k = p->key + p->last;"), "'p->key'; 'p->last'");  // more than 256 bytes
  EXPECT_EQ(fetched("k = p->key + p->last + p->tag;"), "'p->key', 'p->tag'; 'p->last'");
  EXPECT_EQ(fetched("k = p->key + p->last + p->far[69];"), "'p->key'; 'p->last', 'p->far[69]'");
}

TEST(Members, OtherKinds) {
  EXPECT_EQ(fetched("k = p->key + p->bits;"), "");
  EXPECT_EQ(fetched("k = p->key + p->vol;"), "");
  EXPECT_EQ(fetched("k = p->key + ((strict shared struct node *)p)->v[0] + p->tag;"), "");
  EXPECT_EQ(fetched("s = p->key + p->wide;"), "");
  EXPECT_EQ(fetched("k = p->key + p->v[i];"), "'p->key'; 'p->v[i]'");
  EXPECT_EQ(fetched("k = tights[i].c + tights[i].k + tights[i].l;"), "");
  EXPECT_EQ(fetched("k = strict_nodes[i].key + strict_nodes[i].tag;"), "");
  EXPECT_EQ(fetched("{\n#pragma upc strict\n k = p->key + p->tag; }"), "");
  EXPECT_EQ(fetched("k = local.key + local.tag;"), "");
  EXPECT_EQ(fetched("k = top->key + top->tag;"), "");  // reads of a shared pointer
  EXPECT_EQ(fetched("k = p->next->key + p->next->tag;"), "");
  EXPECT_EQ(fetched("k = ph->list->key + ph->list->tag;"), "");  // private memory, by a pointer
  EXPECT_EQ(fetched("k = a[*ip].key + a[*ip].tag;"), "");
  EXPECT_EQ(fetched("k = a[i++].key + a[i++].tag;"), "");
  EXPECT_EQ(fetched("k = a[f(1)].key + a[f(1)].tag;"), "");
  EXPECT_EQ(fetched("k = sizeof(p->key) + p->tag;"), "");
  EXPECT_EQ(fetched("k = ({ p->key + p->tag; });"), "");
  EXPECT_EQ(fetched("\n#pragma omp critical\nk = p->key + p->tag;"), "");
}

TEST(Members, TheObjectChanges) {
  EXPECT_EQ(fetched("k = p->key; p = q; s = p->w;"), "");
  EXPECT_EQ(fetched("k = a[i].key; i++; s = a[i].w;"), "");
  EXPECT_EQ(fetched("k = (a[i].key, i = 3, a[i].tag);"), "");
  EXPECT_EQ(fetched("i = 3, k = a[i].key + a[i].tag;"), "");  // its beginning is too early
  EXPECT_EQ(fetched("i = 3; k = a[i].key + a[i].tag;"), "'a[i].key', 'a[i].tag'");
  EXPECT_EQ(fetched("k = h.list->key; h.list = q; k += h.list->tag;"), "");
  EXPECT_EQ(fetched("int n = 3, m = a[n].key + a[n].tag; (void)m;"), "");
  EXPECT_EQ(fetched("k = p->key; { link_t p = q; k += p->tag; }"), "");
  EXPECT_EQ(fetched("k = global->key; *ip = 3; k += global->tag;"), "");
  EXPECT_EQ(fetched("k = global->key; f(1); k += global->tag;"), "");
  // Where a pointer may point to what names the object.
  EXPECT_EQ(fetched("ip = &i; k = a[i].key; *ip = 3; k += a[i].tag;"), "");
  EXPECT_EQ(fetched("int n[2] = {1, 2}; ip = n; k = a[n[1]].key; *ip = 3; k += a[n[1]].tag;"), "");
  EXPECT_EQ(fetched("k = h.list->key; ph->list = q; k += h.list->tag;"), "");
  EXPECT_EQ(fetched("*ip = 3, k = global->key + global->tag;"), "");
  EXPECT_EQ(fetched("k = counts[i]; *ip = 3; k += global->key;"), "");
}

TEST(Members, WritesBetween) {
  EXPECT_EQ(fetched("k = p->key; q->w = 1; s = p->w;"), "");
  EXPECT_EQ(fetched("k = p->key; p->w = 1; s = p->w;"), "");
  EXPECT_EQ(fetched("k = p->key; p->w = 1; k += p->tag;"), "'p->key', 'p->tag'");
  EXPECT_EQ(fetched("p->tag = 2, k = p->key + p->v[1] + p->tag;"), "'p->key', 'p->v[1]'");
  EXPECT_EQ(fetched("q->tag = 2, k = p->key + p->v[1];"), "");
  EXPECT_EQ(fetched("k = p->key; p->bits = 1; k += p->tag;"), "");
  EXPECT_EQ(fetched("k = p->key; p->v[i] = 1; k += p->tag;"), "");
  EXPECT_EQ(fetched("k = p->key; p->in = a[0].in; k += p->in.x + p->tag;"), "'p->in.x', 'p->tag'");
  EXPECT_EQ(fetched("k = p->key; *p = a[0]; k += p->tag;"), "");
  EXPECT_EQ(fetched("k = a[i].key; a[j].key = 1; k += a[i].tag;"), "");
  EXPECT_EQ(fetched("k = a[i].key; b[i].key = 1; k += a[i].tag;"), "'a[i].key', 'a[i].tag'");
  EXPECT_EQ(fetched("k = a[i].key; counts[i] += k; k += a[i].tag;"), "'a[i].key', 'a[i].tag'");
  EXPECT_EQ(fetched("k = p->key; counts[i] += k; k += p->tag;"), "");
  EXPECT_EQ(fetched("k = p->key; *ip = 1; k += p->tag;"), "'p->key', 'p->tag'");
  EXPECT_EQ(fetched("k = p->key; ip[2]++; k += p->tag;"), "'p->key', 'p->tag'");
  EXPECT_EQ(fetched("ph->n = p->key; k = p->tag;"), "'p->key', 'p->tag'");
  EXPECT_EQ(fetched("k = p->key; local.key = 1; k += p->tag;"), "'p->key', 'p->tag'");
  EXPECT_EQ(fetched("p->w += p->v[0] * p->v[1]; p->w += p->v[0];"), "'p->v[0]', 'p->v[1]'");
}

TEST(Members, OrderBetween) {
  for (const char* const between : kOrders)
    EXPECT_EQ(fetched("k = p->key; " + std::string(between) + " k += p->tag; out: ;"), "") << between;
  EXPECT_EQ(fetched("k = f(1) + p->key + p->tag;"), "");
  EXPECT_EQ(fetched("int step(void) { return i++; } k = a[i].key + step() + a[i].tag;"), "");
  EXPECT_EQ(fetched("k = p->key + f(1) + p->tag;"), "");
  EXPECT_EQ(fetched("k = p->key + p->tag + f(1);"), "'p->key', 'p->tag'");
  EXPECT_EQ(fetched("f(1); k = p->key + p->tag;"), "'p->key', 'p->tag'");
}

TEST(Members, Conditions) {
  EXPECT_EQ(fetched("k = p && p->key > p->tag;"), "");
  EXPECT_EQ(fetched("k = p ? p->key + p->tag : 0;"), "");
  EXPECT_EQ(fetched("if (p && p->key == p->tag) k = 1;"), "");
  EXPECT_EQ(fetched("while (p->key != p->tag) ;"), "");
  EXPECT_EQ(fetched("while (!p->key) ;"), "");
  EXPECT_EQ(fetched("k = p->key; while (!p->tag) ;"), "");
  EXPECT_EQ(fetched("k = i ? p->key : p->tag; k += p->v[0] + p->key;"), "'p->v[0]', 'p->key'");
  // Bytes behind the members that are read in any case are not fetched: the object may end there.
  EXPECT_EQ(fetched("k = p->key + (i ? p->v[1] : 0) + p->v[0];"), "'p->key', 'p->v[0]'");
  EXPECT_EQ(fetched("k = p->key + p->v[0] + (i ? p->tag : p->v[1]);"), "'p->key', 'p->v[0]', 'p->tag'");
}

TEST(Objects, AtTheSameTime) {
  EXPECT_EQ(fetched("k = counts[i] + counts[j];"), "'counts[i]'; 'counts[j]'");
  EXPECT_EQ(fetched("k = counts[i] + counts[j];", 1), "");
  EXPECT_EQ(fetched("k = counts[i] * counts[i];"), "");
  EXPECT_EQ(fetched("k = a[i].key; s = b[j].w;"), "'a[i].key'; 'b[j].w'");
  EXPECT_EQ(fetched("k = counts[i]; s = p->w * p->key; q = p->next; k += bp[k].key;"),
            "'counts[i]'; 'p->w', 'p->key', 'p->next'");
  EXPECT_EQ(fetched("q = top; k = counts[i];"), "'top'; 'counts[i]'");
  EXPECT_EQ(fetched("k = counts[i]; if (counts[j]) return 1;"), "'counts[i]'; 'counts[j]'");
  EXPECT_EQ(fetched("f(counts[i], counts[j]);"), "'counts[i]'; 'counts[j]'");
  EXPECT_EQ(fetched("k = *(counts + i) + *(counts + j);"), "'*(counts + i)'; '*(counts + j)'");
  EXPECT_EQ(fetched("k = counts[0] + counts[1] + counts[2] + counts[3] + counts[4] + counts[5];"),
            "'counts[0]'; 'counts[1]'; 'counts[2]'; 'counts[3]'");
  EXPECT_EQ(fetched("k = counts[0] + counts[1] + counts[2] + counts[3]; k += counts[4] + counts[5];"),
            "'counts[0]'; 'counts[1]'; 'counts[2]'; 'counts[3]'\n'counts[4]'; 'counts[5]'");
}

TEST(Objects, OneAfterTheOther) {
  EXPECT_EQ(fetched("k = counts[i]; k = counts[k];"), "");
  EXPECT_EQ(fetched("k = counts[counts[i]];"), "");
  EXPECT_EQ(fetched("k = top->key;"), "");
  EXPECT_EQ(fetched("k = counts[i]; i = k; k += counts[i] + counts[j];"), "'counts[i]'; 'counts[j]'");
  EXPECT_EQ(fetched("k = counts[i]; int n = 3; k += counts[n];"), "");
  EXPECT_EQ(fetched("k = counts[i]; counts[j] = k; k += counts[i + 1];"), "");
  EXPECT_EQ(fetched("k = counts[i]; a[j].key = k; k += counts[j];"), "'counts[i]'; 'counts[j]'");
  EXPECT_EQ(fetched("k = counts[i]; p->key = k; k += counts[j];"), "");
  EXPECT_EQ(fetched("k = counts[i]; *ip = k; k += counts[j];"), "'counts[i]'; 'counts[j]'");
  EXPECT_EQ(fetched("k = i ? counts[i] : counts[j];"), "");
  EXPECT_EQ(fetched("k = counts[i] + (j ? counts[j] : 0);"), "");
  EXPECT_EQ(fetched("while (!counts[i] || counts[j]) ;"), "");
  EXPECT_EQ(fetched("k = counts[i]; while (!counts[j]) ;"), "");
  EXPECT_EQ(fetched("for (; i < 9; i++) counts[i] = counts[i + 1];"), "");
  for (const char* const between : kOrders)
    EXPECT_EQ(fetched("k = counts[i]; " + std::string(between) + " k += counts[j]; out: ;"), "") << between;
}

TEST(Members, Loops) {
  // Of a loop that goes through private pointers its general text alone fetches them.
  EXPECT_EQ(fetched("for (i = 0; i < 9; i++) s += p[i].w + p[i].key;"), "'p[i].w', 'p[i].key'");
  EXPECT_EQ(fetched("upc_forall (i = 0; i < 9; i++; &a[i]) s += a[i].w + a[i].key;"), "");
}

TEST(Members, Text) {
  const std::string text = translation("s = p->w + p->tag;", 2).c;
  EXPECT_NE(text.find("bytes_1[24] __attribute__((aligned(8)))"), std::string::npos) << text;
  EXPECT_NE(text.find("upc2c_object(bytes_1, p, 8, 24)"), std::string::npos) << text;
  EXPECT_NE(text.find("s = UPC2C_LOAD(double, object_2) + UPC2C_LOAD(char, object_2 + 16);"),
            std::string::npos)
      << text;
  EXPECT_EQ(count(text, "upc2c_object"), 1);
  const std::string split = translation("k = counts[i] + g.key;", 2).c;
  EXPECT_NE(
      split.find(
          "if (__builtin_expect(upc2c_is_far(&object_2, p_7, 0, 4) | upc2c_is_far(&object_4, p_8, 0, 4), "
          "0)) { upcr_handle_t gets_5[2]; size_t started_6 = 0; "),
      std::string::npos)
      << split;
  EXPECT_NE(
      split.find(
          "object_4 = upc2c_start_get(bytes_3, p_8, 0, 4, gets_5, &started_6); "
          "upc2c_finish_gets(gets_5, started_6); } k = UPC2C_LOAD(int, object_2) + UPC2C_LOAD(int, object_4);"),
      std::string::npos)
      << split;
  EXPECT_EQ(count(split, "upc2c_start_get"), 2);
}

TEST(Members, OneLineOnly) {
  upc2c::TranslateOptions options;
  options.lower.file = "test.upc";
  options.lower.loops = {2, {3}};
  const std::string text = upc2c::translate(
                               "struct s { int x, y; }; shared struct s v[THREADS]; int k;\nvoid h(int i) {\n"
                               "  k = v[i].x + v[i].y;\n  k = v[i].y - v[i].x; }\n",
                               options)
                               .c;
  EXPECT_EQ(count(text, "upc2c_object"), 1);
  EXPECT_NE(text.find("k = value_3 + value_4;"), std::string::npos) << text;
}

// A read that stays where it is may show a newer value than what was fetched before it.
TEST(Members, AreNotOlderThanWhatWasReadMeanwhile) {
  EXPECT_EQ(fetched("k = p->tag; struct in copy = p->in; k += p->in.x + copy.y;"), "");
  EXPECT_EQ(fetched("k = p->tag; struct in copy = p->in; k += p->key + copy.y;"), "'p->tag', 'p->key'");
  EXPECT_EQ(fetched("k = p->tag; k += q->vol; k += p->key;"), "");
  EXPECT_EQ(fetched("k = p->tag; k += q->bits; k += p->key;"), "");
  EXPECT_EQ(fetched("k = p->tag; k += i ? q->key : 0; k += p->key;"), "");
  EXPECT_EQ(fetched("k = q->vol; k += p->tag + p->key;"), "'p->tag', 'p->key'");
}

TEST(Members, OfOperandsThatABuiltinNeedNotEvaluate) {
  EXPECT_EQ(fetched("k = __builtin_constant_p(p->key + p->tag);"), "");
}

TEST(Members, HaveBuffersOfALimitedSize) {
  std::string many;
  for (int n = 0; n < 60; n++) many += "k += p->key + p->ins[2].y; f(k);\n";
  const std::string found = fetched(many);
  const auto lines = 1 + std::count(found.begin(), found.end(), '\n');
  EXPECT_GT(lines, 3) << found;
  EXPECT_LT(lines, 60) << found;
}

}  // namespace
