// SPDX-License-Identifier: BSD-3-Clause
// What straight code reads once although it names it several times, and elements that it finds once, as -Rupc
// reports them. And what it must not: where something in between may change the value, or the order counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/upc2c/support/lowered.hpp"

namespace {

const char* const kDeclarations = R"(
struct in { int x, y; };
struct node {
  int key; double w; shared struct node *next; unsigned bits : 3; int v[4]; struct in in; volatile int vol;
};
union either { int i; float f; };
typedef shared struct node *link_t;
shared struct node a[10 * THREADS], g;
shared int c[10 * THREADS], d[10 * THREADS], one; shared [7] int blocked[10 * THREADS];
shared [] int flat[10]; shared [8] int rows[THREADS][8]; shared union either e[THREADS];
strict shared int flag; volatile shared int vol[THREADS];
int global;
int f(int, ...);
static int twice(int k) { return 2 * k; }
)";

upc2c::Translation translation(const std::string& statement, int level = 2) {
  upc2c::TranslateOptions options;
  options.lower.file = "test.upc";
  options.lower.loops.level = level;
  options.warnings = {"-Rupc", "-w"};
  return upc2c::translate(
      std::string(kDeclarations) +
          "int tested(link_t p, link_t q, int i, int j, int *ip, shared [7] int *bp) { int "
          "k = 0, m = 0; (void)k; (void)m;\n" +
          statement + "\nreturn 0; }\n",
      options);
}

// The ends of the remarks that begin with `what`; one a line.
std::string remarks(const std::string& what, const std::string& statement, int level = 2) {
  const upc2c::Translation result = translation(statement, level);
  if (result.errors != 0) return "error: " + result.messages;
  std::string out;
  for (std::size_t at = 0; (at = result.messages.find("remark: " + what, at)) != std::string::npos;) {
    at += 8 + what.size();
    out += (out.empty() ? "" : "\n") + result.messages.substr(at, result.messages.find(" [-Rupc]", at) - at);
  }
  return out;
}
std::string once(const std::string& statement, int level = 2) {
  return remarks("read once: ", statement, level);
}
std::string found(const std::string& statement, int level = 2) {
  return remarks("found once: ", statement, level);
}
std::string again(const std::string& statement) { return remarks("read again: ", statement); }

// Statements that no read is moved across.
const char* const kOrders[] = {"upc_fence;",
                               "upc_barrier;",
                               "upc_notify; upc_wait;",
                               "f(1);",
                               "flag = 1;",
                               "k += flag;",
                               "__asm__(\"\" ::: \"memory\");",
                               "again: ;",
                               "if (i) goto out;",
                               "for (; i; i--) ;",
                               "while (flag) ;",
                               "{ }",
                               "static int once = 1; (void)once;"};

TEST(Repeats, ReadOnce) {
  EXPECT_EQ(once("k = c[i] * c[i];"), "'c[i]'");
  EXPECT_EQ(once("k = c[i] * c[i];", 1), "");
  EXPECT_EQ(once("k = c[i] * c[i];", 0), "");
  EXPECT_EQ(once("k = c[i]; m = c[i] + 1;"), "'c[i]'");
  EXPECT_EQ(once("k = p->key; m = k + p->key;"), "'p->key'");
  EXPECT_EQ(once("k = one + 1; m = (one);"), "'one'");
  EXPECT_EQ(once("k = *p->v; m = p->v[0];"), "");  // named differently
  EXPECT_EQ(once("k = a[i].in.x; m = a[i].in.x * a[i].in.y;"), "'a[i].in.x'");
  EXPECT_EQ(once("k = flat[3] + flat[3];"), "'flat[3]'");
  EXPECT_EQ(once("k = rows[i][j + 1] + rows[i][j + 1];"), "'rows[i][j + 1]'");
  EXPECT_EQ(once("k = c[i] + d[i]; m = c[i] - d[i];"), "'c[i]', 'd[i]'");
  EXPECT_EQ(once("k = twice(c[i]) + c[i];"), "'c[i]'");
  EXPECT_EQ(once("f(c[i], c[i]);"), "'c[i]'");
  EXPECT_EQ(once("return c[i] * c[i];"), "'c[i]'");
  EXPECT_EQ(once("k = c[i];"), "");
  EXPECT_EQ(once("k = c[i] + c[j];"), "");
}

TEST(Repeats, OtherKinds) {
  EXPECT_EQ(once("k = vol[i] * vol[i];"), "");
  EXPECT_EQ(once("k = p->vol * p->vol;"), "");
  EXPECT_EQ(once("k = flag * flag;"), "");
  EXPECT_EQ(once("{\n#pragma upc strict\n k = c[i] * c[i]; }"), "");
  EXPECT_EQ(once("k = p->bits * p->bits;"), "");
  EXPECT_EQ(once("k = e[i].i; k += e[i].f;"), "");
  EXPECT_EQ(once("k = p->next->key * p->next->key;"), "");  // what p->next points to may be *p
  EXPECT_EQ(once("k = sizeof(c[i]) + c[i];"), "");
  EXPECT_EQ(once("k = ({ c[i] * c[i]; });"), "");
  EXPECT_EQ(once("k = c[*ip] * c[*ip];"), "");
}

TEST(Repeats, Conditions) {
  EXPECT_EQ(once("k = i ? c[i] : 1; m = i ? c[i] : 2;"), "");
  EXPECT_EQ(once("k = p && p->key && p->key < 3;"), "");
  EXPECT_EQ(once("k = c[i]; m = i ? c[i] : 2;"), "'c[i]'");
  EXPECT_EQ(once("if (c[i] > k) k = c[i];"), "'c[i]'");
  EXPECT_EQ(once("if (c[i] > k) { m = 1; k = c[i]; }"), "'c[i]'");
  EXPECT_EQ(once("if (i) k = 1; else if (c[i] > k) k = c[i];"), "");  // nothing is in front of it
  EXPECT_EQ(once("if (i) k = 1; else { if (c[i] > k) k = c[i]; }"), "'c[i]'");
  EXPECT_EQ(once("if (c[i] > k) k = c[i]; else if (c[i] < m) m = c[i]; else m = -c[i];"), "'c[i]'");
  EXPECT_EQ(once("if (i) k = c[i]; else k = -c[i];"), "");
  EXPECT_EQ(once("k = c[i]; switch (c[i]) { case 1: m = c[i]; }"), "'c[i]'");
  EXPECT_EQ(once("while (p->key != k) p = p->next;"), "");
}

TEST(Repeats, WhatABranchChanges) {
  EXPECT_EQ(once("if (c[i] > k) { c[i] = 0; k = c[i]; }"), "");
  EXPECT_EQ(once("if (c[i] > k) { *ip = 0; k = c[i]; }"), "");
  EXPECT_EQ(once("if (c[i] > k) { i++; k = c[i]; }"), "");
  EXPECT_EQ(once("if (c[i] > k) { f(1); k = c[i]; }"), "");
  EXPECT_EQ(once("if (c[i] > k) { for (; j; j--) c[j] = 0; k = c[i]; }"), "");
  EXPECT_EQ(once("if (c[i] > k) for (; j; j--) k = c[i];"), "");
  EXPECT_EQ(once("if (c[i] > k) { c[i] = 0; } else k = c[i];"), "'c[i]'");
  EXPECT_EQ(once("if (c[i] > k) { c[i] = 0; } k = c[i];"), "");
  EXPECT_EQ(once("if (c[i] > k) { out: k = c[i]; } else goto out;"), "");
  EXPECT_EQ(once("if (c[i] > (c[i] = 3)) k = 1;"), "");
  EXPECT_EQ(once("if (c[i] > k) k = 1; else if (c[j]++) k = 2; else k = c[i];"), "");
}

TEST(Repeats, TheObjectChanges) {
  EXPECT_EQ(once("k = c[i]; i++; k += c[i];"), "");
  EXPECT_EQ(once("k = c[i++]; k += c[i++];"), "");
  EXPECT_EQ(once("k = p->key; p = q; k += p->key;"), "");
  EXPECT_EQ(once("k = p->key; { link_t p = q; k += p->key; }"), "");
  EXPECT_EQ(once("i = 3, k = c[i] * c[i];"), "");
  EXPECT_EQ(once("ip = &i; k = c[i]; *ip = 3; k += c[i];"), "");
}

TEST(Repeats, StoresBetween) {
  EXPECT_EQ(once("k = c[i]; c[i] = 3; m = c[i];"), "");
  EXPECT_EQ(once("k = c[i]; c[j] = 3; m = c[i];"), "");
  EXPECT_EQ(once("k = c[i]; c[j]++; m = c[i];"), "");
  EXPECT_EQ(once("k = c[i]; *bp = 3; m = c[i];"), "");
  EXPECT_EQ(once("k = c[i]; d[j] = 3; m = c[i];"), "'c[i]'");
  EXPECT_EQ(once("k = p->key; q->w = 3; m = p->key;"), "");
  EXPECT_EQ(once("k = p->key; p->w = 3; m = p->key;"), "'p->key'");
  EXPECT_EQ(once("k = p->in.x; p->in = a[0].in; m = p->in.x;"), "");
  EXPECT_EQ(once("k = a[i].key; a[i].bits = 1; m = a[i].key;"), "");
  // A private pointer may point to what is mapped.
  EXPECT_EQ(once("k = c[i]; *ip = 3; m = c[i];"), "");
  EXPECT_EQ(once("k = c[i]; ip[2]++; m = c[i];"), "");
  EXPECT_EQ(once("k = c[i]; global = 3; m = c[i];"), "'c[i]'");
  EXPECT_EQ(once("c[i] = 3; k = c[i] * c[i];"), "'c[i]'");
  EXPECT_EQ(once("c[i] = 3, k = c[i] * c[i];"), "");
  EXPECT_EQ(once("*ip = 3, k = c[i] * c[i];"), "");
}

// What is read by a name that is known to be fixed is in no order with other reads; what is read in other
// ways may show a newer value.
TEST(Repeats, ReadsBetween) {
  EXPECT_EQ(once("k = p->key; m = q->key; k += p->key;"), "'p->key'");
  EXPECT_EQ(once("k = p->key; m = q->vol; k += p->key;"), "");
  EXPECT_EQ(once("k = p->in.x; struct in s = p->in; k += p->in.x + s.y;"), "");
  EXPECT_EQ(once("k = c[i]; m = j ? c[j] : 0; k += c[i];"), "");
  EXPECT_EQ(once("k = c[i]; m = j ? d[j] : 0; k += c[i];"), "'c[i]'");
}

TEST(Repeats, OrderBetween) {
  for (const char* const between : kOrders) {
    EXPECT_EQ(once("k = c[i]; " + std::string(between) + " k += c[i]; out: ;"), "") << between;
    EXPECT_EQ(found("c[i] = 1; " + std::string(between) + " c[i] = 2; out: ;"), "") << between;
  }
  EXPECT_EQ(once("k = c[i] + f(1) + c[i];"), "");
  EXPECT_EQ(once("k = f(1) + c[i] * c[i];"), "");
  EXPECT_EQ(once("k = __builtin_constant_p(c[i] * c[i]);"), "");
  EXPECT_EQ(once("\n#pragma omp critical\nk = c[i] * c[i];"), "");
}

TEST(Repeats, WhyAgain) {
  EXPECT_EQ(again("k = c[i]; c[j] = 3; m = c[i];"), "'c[i]': a store may be to it");
  EXPECT_EQ(again("k = c[i]; *ip = 3; m = c[i];"), "'c[i]': a store through a pointer may be to it");
  EXPECT_EQ(again("k = c[i]; f(1); m = c[i];"),
            "'c[i]': a call, an order of accesses or a jump is between them");
  EXPECT_EQ(again("k = p->key; m = q->vol; k += p->key;"), "'p->key': another read may show a newer value");
  EXPECT_EQ(again("k = c[i]; i++; m = c[i];"), "");
  EXPECT_EQ(again("k = c[i]; m = c[i];"), "");
}

TEST(Repeats, FoundOnce) {
  EXPECT_EQ(found("c[i] = c[i] * 3;"), "'c[i]'");
  EXPECT_EQ(found("c[i] = c[i] * 3;", 1), "");
  EXPECT_EQ(found("blocked[i + j] = k; m = blocked[i + j];"), "'blocked[i + j]'");
  EXPECT_EQ(found("a[i].key = 1; a[i].w = 2;"), "'a[i]'");
  EXPECT_EQ(found("a[i].bits = 1; a[i].in.x++;"), "'a[i]'");
  EXPECT_EQ(found("struct node n = a[i]; n.key++; a[i] = n;"), "'a[i]'");
  EXPECT_EQ(found("bp[i] += 1; bp[i] *= 3;"), "'bp[i]'");
  EXPECT_EQ(found("if (c[i] < 3) c[i] = 3;"), "'c[i]'");
  EXPECT_EQ(found("c[i] = 1; c[j] = 2; *ip = 3; c[i] = 4;"), "'c[i]'");  // an address needs no value
  // One access, or nothing to compute.
  EXPECT_EQ(found("c[i] = 3;"), "");
  EXPECT_EQ(found("c[i]++;"), "");
  EXPECT_EQ(found("k = c[i] * c[i];"), "");
  EXPECT_EQ(found("k = a[i].key * a[i].w;"), "");  // fetched together
  EXPECT_EQ(found("flat[i] = 1; flat[i] = 2;"), "");
  EXPECT_EQ(found("p->key = 1; p->w = 2;"), "");
  EXPECT_EQ(found("one = 1; one = 2;"), "");
  EXPECT_EQ(found("g.key = 1; g.w = 2;"), "");
}

TEST(Repeats, AnotherElement) {
  EXPECT_EQ(found("c[i] = 1; i++; c[i] = 2;"), "");
  EXPECT_EQ(found("c[i++] = 1; c[i++] = 2;"), "");
  EXPECT_EQ(found("c[i] = 1; d[i] = 2;"), "");
  EXPECT_EQ(found("c[i] = 1; c[j] = 2;"), "");
  EXPECT_EQ(found("bp[i] = 1; bp = blocked; bp[i] = 2;"), "");
  EXPECT_EQ(found("i = 3, c[i] = 1, c[i] = 2;"), "");
  EXPECT_EQ(found("ip = &i; c[i] = 1; *ip = 3; c[i] = 2;"), "");
  EXPECT_EQ(found("*ip = 3, c[global] = 1, c[global] = 2;"), "");
  EXPECT_EQ(found("if (j) c[i] = 1; else c[i] = 2;"), "");
  EXPECT_EQ(found("k = j ? c[i] : 0; m = j ? c[i]++ : 0;"), "");
}

TEST(Repeats, Text) {
  const std::string value = translation("k = c[i] * c[i];").c;
  EXPECT_NE(
      value.find("int const value_1 = ((int)upcr_get_pshared_val(upcr_add_pshared1(c, sizeof(int), i), 0, "
                 "sizeof(int))); k = value_1 * value_1;"),
      std::string::npos)
      << value;
  const std::string element = translation("c[i] = c[i] * 3;").c;
  EXPECT_NE(element.find("const upcr_pshared_ptr_t element_1 = upcr_add_pshared1(c, sizeof(int), i); "
                         "upcr_put_pshared_val(element_1, 0, "),
            std::string::npos)
      << element;
  EXPECT_EQ(count(element, "upcr_add_pshared1"), 1);
  const std::string phased = translation("blocked[i] = blocked[i] * 3;").c;
  EXPECT_NE(phased.find("const upcr_shared_ptr_t element_1 = upcr_add_shared("), std::string::npos) << phased;
  // A group that begins earlier finds the element there.
  const std::string group = translation("k = d[j]; m = a[i].key; a[i].w = m;").c;
  EXPECT_EQ(count(group, "upcr_add_pshared1"), 2) << group;
}

// What only a branch does is in the branch: it may be what the condition guards.
TEST(Repeats, InBranches) {
  for (const char* const branch :
       {"if (p) k = p->key * p->key;", "if (d[j]) k = p->key * p->key;", "if (d[j]) { k = c[i]; m = c[i]; }",
        "if (d[j]) { c[i] = k; c[i] = m; }", "if (j) ; else if (d[j]) { c[i] = k; c[i] = m; }"}) {
    const std::string text = translation(branch).c;
    const std::size_t condition = text.rfind("if (");
    EXPECT_GT(std::min(text.find("value_"), text.find("element_")), condition) << text;
    EXPECT_NE(text.find("_1", condition), std::string::npos) << text;
  }
}

// Each is in front of the line where it is read first, if that is a line that was chosen.
TEST(Repeats, OneLineOnly) {
  upc2c::TranslateOptions options;
  options.lower.file = "test.upc";
  options.lower.loops = {2, {3}};
  const auto text = [&](const std::string& lines) {
    return upc2c::translate("shared int c[THREADS]; int k;\nvoid h(int i) {\n" + lines + "}\n", options).c;
  };
  EXPECT_EQ(count(text("k = c[i] * c[i];\nupc_fence;\nk = c[i] * c[i];\n"), "upcr_get_pshared_val"), 3);
  EXPECT_EQ(count(text("k = 2;\nc[i] = c[i] * 3;\n"), "upcr_add_pshared1"), 2);
}

}  // namespace
