// SPDX-License-Identifier: BSD-3-Clause
// Types of expressions as Clang gives them, which knows no UPC but address spaces: a shared type of a block
// size and access mode is an address space of its own, and Clang carries that through expressions as UPC
// carries its qualifiers. Members of shared structures differ (UPC: indefinite block size), so the structures
// here are shared [].
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "tests/upc2c/support/source.hpp"
#include "tools/upc2c/type/print.hpp"

namespace upc2c {
namespace {

const char* const kDeclarations = R"(
typedef int row_t[10]; typedef shared [4] double block_t; typedef block_t *blocks_t; typedef unsigned char byte_t;
enum color { kRed, kGreen = 5 }; union word { long l; char bytes[8]; };
struct point { int x, y; const char *name; double v[3]; shared [4] int *p4; shared int *list[2]; struct point *next;
               shared [] struct point *far; enum color color; union word word; int (*compute)(int, shared int *); };
extern shared int a1[THREADS], s1, grid[3][THREADS]; extern shared [4] int a4[4 * THREADS]; extern shared [] int aI[5];
extern shared [3] long a3[2][3 * THREADS]; extern shared row_t rows[THREADS]; extern shared [] row_t rowsI[2];
extern shared [] struct point sp, ap[4]; extern struct point pp, *pq; extern shared [] struct point *q;
extern shared int *p1; extern shared [4] int *p4; extern shared [] int *pI; extern strict shared int *ps, fs;
extern relaxed shared [2] short *pr; extern const shared int *pc, cs; extern volatile shared [] char *pv; extern block_t b;
extern blocks_t bp; extern shared [4] int *shared [2] pp4[2 * THREADS]; extern shared int **pp1; extern shared [] char text[6];
extern int i, j, priv[8], *ip; extern unsigned u; extern long l; extern unsigned long ul; extern short s; extern char c;
extern byte_t byte; extern float f; extern double d; extern long double ld; extern _Bool flag; extern long long ll;
extern shared float sf; extern shared double sd; extern shared char sc; extern shared unsigned short us; extern shared _Bool sb;
extern shared long double sld; extern shared _Complex double sz; extern _Complex float zf; extern enum color color;
extern shared enum color scolor; extern shared [10] int (*pa)[10]; extern shared int (*pt)[3]; extern shared void *any;
extern shared [4] int *give(int, shared int *); extern int (*fp)(shared int *); extern void *vp;
extern shared [] union word uw; extern int (*table[3])(shared [4] int *); extern shared unsigned long long ull;
)";

/* clang-format off */
const char* const kExpressions[] = {
  // Objects, elements, subscripts.
  "a1", "s1", "grid", "grid[1]", "grid[1][2]", "a4", "a4[3]", "aI", "aI[2]", "a3", "a3[1]", "a3[1][i]", "rows", "rows[i]",
  "rows[i][j]", "rowsI[1]", "rowsI[1][3]", "3[a4]", "fs", "cs", "b", "text", "text[1]", "p1[i]", "p4[i]", "pI[i]", "ps[1]",
  "pr[0]", "pc[i]", "pv[2]", "bp[1]", "pp4", "pp4[0]", "*pp4", "pp1[0]", "pp1[0][1]", "pa[1]", "pa[1][2]", "pt[1][2]", "priv",
  // Pointers and addresses.
  "*p1", "*p4", "*ps", "*pr", "*pc", "*pv", "*bp", "**pp1", "*a4", "*(a4 + 1)", "**a3", "*pa", "**pa", "&s1", "&a4", "&a4[2]",
  "&a1[MYTHREAD]", "&grid[1]", "&*p4", "&cs", "&fs", "&pp4", "&p4", "&rows[1]", "&(a4[1])", "&priv", "&fp", "*&p4", "(p1)", "(*p4)",
  "&sp", "&ap[1]", "&ap", "ap", "ap[2]", "*q", "q",
  // Arithmetic on pointers.
  "p1 + 1", "1 + p4", "p4 - i", "a4 + i", "pI + l", "pr + u", "bp - 1", "pa + 1", "grid + 1", "p4 - p4", "pr - pr", "a4 - p4",
  "p4++", "--p1", "pr--", "p4 += 3", "pI -= i", "pc + c", "&a4[1] - &a4[0]", "&pp4[1]", "q + 1", "ap + 1",
  // Members.
  "sp.x", "sp.name", "sp.v", "sp.v[1]", "sp.p4", "*sp.p4", "sp.p4[2]", "sp.list", "sp.list[1]", "*sp.list[1]", "sp.next",
  "sp.next->x", "sp.next->p4", "sp.far", "sp.far->y", "sp.far->v", "sp.far->far->far", "sp.color", "sp.word", "sp.word.bytes",
  "sp.word.bytes[2]", "q->x", "q->name[0]", "(*q).v[2]", "(q + 1)->list[0]", "ap[i].far->p4", "&q->x", "&q->v[1]", "&sp.v", "pp.p4",
  "*pp.p4", "pp.far->x", "pq->far->v[1]", "pq->list[1]", "pq->list[1][i]", "&pq->list", "uw.l", "uw.bytes[1]", "q->compute",
  // Values.
  "s1 + 1", "s1 + u", "sf + 1", "sf * sd", "sc + sc", "us + sc", "sb + sb", "-sc", "+us", "~sc", "!s1", "sld - 1", "sz * 2", "sz + zf",
  "ull >> 1", "sc << 2", "s1 % u", "s1 < sd", "p4 == a4", "p1 && q", "!p4", "s1 & ul", "ull | s1", "scolor", "scolor + 1", "s1, sd",
  "i, p4", "sp", "a4[0] + a3[0][1]", "sd / s1", "MYTHREAD + 1", "s1 - ld", "ll + ul", "byte + c", "l ^ us", "text[0] == 'a'", "kRed",
  "i ? s1 : sf", "i ? p4 : a4", "i ? p4 : 0", "i ? sp : pp", "i ? s : sc", "i ?: sd",
  // Assignments, calls, casts.
  "s1 = d", "sf = 3", "sp = pp", "sc += 3", "us++", "--sd", "pp4[0] = p4", "p1 = 0", "sb = d", "sp.x = sp.v[0]", "q->far = q",
  "give(1, p1)", "*give(1, 0)", "give(s1, a1)[2]", "fp(p1)", "fp(&s1)", "(*fp)(p1)", "table[1](p4)", "sp.compute(s1, p1)",
  "(int)sd", "(shared [2] int *)p4", "*(shared [] char *)pI", "(shared [4] double *)p4", "(const shared int *)p1", "(block_t *)bp",
  "(strict shared int *)p1", "*(strict shared int *)p1", "(float)sc", "(void *)0", "(char)s1 + 1", "(row_t *)vp", "*(row_t *)vp",
  "(struct point){1}", "(struct point){1}.p4", "(int[3]){0}", "sizeof s1", "sizeof(a4)", "_Alignof(int)", "({ p4; })", "({ s1; })",
  "__extension__ a4[1]", "_Generic(p4, shared [4] int *: pr, default: ip)", "_Generic(s1, int: p1, default: 0)", "\"text\"",
  "__real__ sz + 0",  // of a part itself clang forgets the address space
};
/* clang-format on */

// Shared types as address spaces.
std::string for_clang(const std::string& upc) {
  static const std::regex shared(R"((?:(strict|relaxed) )?shared(?: ?\[(\d*)\])?)");
  std::string out;
  auto from = upc.cbegin();
  for (std::sregex_iterator it(upc.begin(), upc.end(), shared), end; it != end; ++it) {
    const std::smatch& m = *it;
    const int block = !m[2].matched ? 1 : m[2].length() == 0 ? 0 : std::stoi(m[2].str());
    const int mode = !m[1].matched ? 0 : m[1].str() == "strict" ? 1 : 2;
    out.append(from, m[0].first);
    out += "__attribute__((address_space(" + std::to_string(100 + block * 3 + mode) + ")))";
    from = m[0].second;
  }
  return out.append(from, upc.cend());
}

TEST(Oracle, ClangGivesExpressionsTheSameTypes) {
  if (std::system("clang --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "clang is not installed";
  std::string clang =
      "enum { THREADS = 7919 }; extern const int MYTHREAD;\n" + for_clang(kDeclarations) + "\n";
  std::string upc = kDeclarations;
  for (const char* expression : kExpressions) upc += "void f(void) { " + std::string(expression) + "; }\n";
  Checked checked(upc);
  ASSERT_EQ(checked.diagnostics.errors(), 0u) << checked.messages();
  std::size_t next = 0;
  for (Node* item : checked.items) {
    auto* function = cast_if<Function>(item);
    if (function == nullptr) continue;
    const std::string text = kExpressions[next++];
    const Expr& value = *as<ExprStmt>(function->body()->items()[0])->value();
    ASSERT_FALSE(value.type.is_unknown()) << text;
    const bool lvalue = value.is_lvalue();
    const QualType type = lvalue ? checked.types.pointer_to(value.type) : value.type;
    clang += "void f" + std::to_string(next) + "(void) { _Static_assert(_Generic(" + (lvalue ? "&" : "") +
             "(" + for_clang(text) + "), " + for_clang(to_upc(type)) +
             ": 1, default: 0), \"upc2c: " + to_upc(value.type) + "\"); }\n";
  }
  ASSERT_EQ(next, std::size(kExpressions));
  ASSERT_GE(next, 150u);
  std::string output;
  EXPECT_TRUE(compiles_with("clang", clang, output, "-std=gnu11 -w -fsyntax-only -ferror-limit=0")) << output;
}

// What the test relies on: another type is noticed.
TEST(Oracle, ClangDistinguishesBlockSizes) {
  if (std::system("clang --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "clang is not installed";
  const auto accepts = [](const std::string& type) {
    std::string output;
    return compiles_with("clang",
                         for_clang("extern shared [4] int a[8]; _Static_assert(_Generic(&a[1], " + type +
                                   ": 1, default: 0), \"\");"),
                         output, "-std=gnu11 -w -fsyntax-only");
  };
  EXPECT_TRUE(accepts("shared [4] int *"));
  for (const char* type : {"shared [3] int *", "shared int *", "shared [] int *", "int *",
                           "shared [4] long *", "strict shared [4] int *", "shared [4] const int *"})
    EXPECT_FALSE(accepts(type)) << type;
}

}  // namespace
}  // namespace upc2c
