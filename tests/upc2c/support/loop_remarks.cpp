// SPDX-License-Identifier: BSD-3-Clause
#include "tests/upc2c/support/loop_remarks.hpp"

#include <gtest/gtest.h>

#include "tools/upc2c/driver.hpp"

namespace {

constexpr const char* kDeclarations =
    "typedef unsigned long size_t; typedef int jmp_buf[8]; int setjmp(jmp_buf); double sqrt(double);\n"
    "extern size_t upc_threadof(shared void *); int f(int); void g(void); int flag; int n; shared int sn;\n"
    "shared int a[90 * THREADS], b[90 * THREADS]; shared [8] int x[80 * THREADS], y[80 * THREADS];\n"
    "shared [] int w[100], v[100]; shared [2] int small[80 * THREADS]; strict shared int sa[90 * THREADS];\n"
    "shared [8] int m[10 * THREADS][8]; struct s { int k; unsigned bits : 3; double d[2]; };\n"
    "shared struct s st[90 * THREADS]; struct packed { char c; int k; } __attribute__((packed));\n"
    "shared struct packed pk[90 * THREADS]; volatile shared int vol[90 * THREADS];\n"
    "shared [4] int rows[9][8 * THREADS]; shared [8] int *gp; static int sink; int *ip;\n"
    "static int computes(int k) { int r = k, t[2] = {0}; for (; k > 0; k--) t[k & 1] += r; return t[0]; }\n"
    "static inline double computes_too(double d, int *p) { return d > *p ? d / 2 : computes(2) + sink; }\n"
    "static int counts(int k) { sink += k; return k; } static int stores(int *p) { return *p = 2; }\n"
    "static int computes_global_of(int k) { return sink + k; }\n"
    "static int reads(int k) { return sn + k; } static int calls(int k) { return f(k); } int computes_global(int k)\n"
    "{ return k; } static int recurs(int k) { return k > 0 ? recurs(k - 1) : 0; }\n"
    "static void waits(void) { upc_barrier; }\n";

upc2c::Translation translation(const std::string& statement, int level, long threads) {
  upc2c::TranslateOptions options;
  options.lower.file = "test.upc";
  options.lower.loops.level = level;
  options.check.threads = options.lower.threads = threads;
  options.warnings = {"-Rupc", "-w"};
  return upc2c::translate(
      std::string(kDeclarations) +
          "void tested(int c, shared [] int *p, shared [8] int *q) { int i = 0, j = 0;" +
          " unsigned u = 0; size_t z = 0; long l = 0; double sum = 0; (void)j; (void)u; (void)z; (void)l;\n" +
          statement + " }\n",
      options);
}

}  // namespace

std::string remarks(const std::string& statement, int level, long threads) {
  const upc2c::Translation result = translation(statement, level, threads);
  if (result.errors != 0) return "error: " + result.messages;
  std::string out;
  for (std::size_t at = 0; (at = result.messages.find("remark: ", at)) != std::string::npos;) {
    at += 8;
    const std::size_t end = result.messages.find(" [-Rupc]", at);
    const std::string remark = result.messages.substr(at, end - at);
    if (remark.find("else fetched") != std::string::npos || remark.starts_with("read ") ||
        remark.starts_with("found once"))
      continue;  // reads of straight code (tests/upc2c/block), and what is read once
    out += (out.empty() ? "" : "\n") + remark;
  }
  return out;
}

std::string read_remarks(const std::string& what, const std::string& statement, int level) {
  const upc2c::Translation result = translation(statement, level, 0);
  if (result.errors != 0) return "error: " + result.messages;
  std::string out;
  for (std::size_t at = 0; (at = result.messages.find("remark: " + what, at)) != std::string::npos;) {
    at += 8 + what.size();
    out += (out.empty() ? "" : "\n") + result.messages.substr(at, result.messages.find(" [-Rupc]", at) - at);
  }
  return out;
}

std::string runs(const std::string& statement) {
  const std::string text = translation(statement, 2, 0).c, begin = "] = {";
  const std::size_t table = text.find("upc2c_run_kind_t"), at = text.find(begin, table) + begin.size();
  return table == std::string::npos ? "" : text.substr(at, text.find("};", at) - at);
}

bool is_told_independent(const std::string& statement) {
  const upc2c::Translation result = translation(statement, 2, 0);
  EXPECT_EQ(result.messages.find("error:"), std::string::npos) << result.messages;
  return result.errors == 0 && result.c.find("UPC2C_INDEPENDENT ") != std::string::npos;
}

std::string general(const std::string& reason) { return "the loop stays general: " + reason; }

std::string general_where_far(const std::string& reason) {
  return "private where mapped, else general (" + reason + "): ";
}
