// SPDX-License-Identifier: BSD-3-Clause
// No input makes the front end fail or hang: programs with one token changed, and constructs in each other
// thousands of times.
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "tests/upc2c/support/source.hpp"
#include "tools/upc2c/diag/render.hpp"
#include "tools/upc2c/driver.hpp"

namespace upc2c {
namespace {

// The parser's limits fit a stack of 8 MiB. With AddressSanitizer its frames are several times as large.
template <typename Body>
void on_a_large_stack(Body body) {
#if defined(__SANITIZE_ADDRESS__)
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{64} << 20);
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    (*static_cast<Body*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &body), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
#else
  body();
#endif
}

// The UPC programs beside the tests that need no header.
std::vector<std::pair<std::string, std::string>> sources() {
  std::vector<std::pair<std::string, std::string>> out;
  for (const char* folder : {UPC2C_PROGRAMS, UPC2C_ERRORS})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".upc") continue;
      std::string text = read_file(entry.path());
      if (text.find("#include") == std::string::npos) out.emplace_back(entry.path(), std::move(text));
    }
  std::sort(out.begin(), out.end());
  return out;
}

// One token replaced, removed, written twice, exchanged with the next one, or put in front of one.
std::string mutant(const TokenStream& source, const std::vector<std::string>& words,
                   std::mt19937_64& random) {
  const auto count = static_cast<TokenIndex>(source.tokens().size()) - 1;
  const TokenIndex at = static_cast<TokenIndex>(random() % count);
  const Token& token = source.token(at);
  const std::string_view input = source.input();
  const std::string before(input.substr(0, token.offset)), old(source.text(at)),
      after(input.substr(token.offset + token.length));
  const std::string& word = words[random() % words.size()];
  switch (random() % 6) {
    case 0:
      return before + after;
    case 1:
      return before + old + " " + old + after;
    case 2:
      if (at + 1 < count) {
        const Token& next = source.token(at + 1);
        return before + std::string(source.text(at + 1)) + " " + old + " " +
               std::string(input.substr(next.offset + next.length));
      }
      [[fallthrough]];
    case 3:
      return before + word + " " + old + after;
    default:
      return before + word + after;
  }
}

Translation translated(const std::string& text) {
  TranslateOptions options;
  options.lower.file = "test.upc";
  options.lower.pthreads = options.lower.source_positions = true;
  return translate(text, options);
}

TEST(Robustness, MutantsOfProgramsEndWithMessagesOrWithout) {
  const auto programs = sources();
  ASSERT_GE(programs.size(), 40u);
  std::vector<std::string> words;
  for (unsigned kind = static_cast<unsigned>(Tok::kLParen); kind < static_cast<unsigned>(Tok::kCount); kind++)
    words.emplace_back(spelling(static_cast<Tok>(kind)));
  std::vector<std::unique_ptr<TokenStream>> streams;
  for (const auto& [file, text] : programs) {
    streams.push_back(std::make_unique<TokenStream>(text, file));
    for (TokenIndex i = 0; i + 1 < streams.back()->tokens().size(); i += 3)
      words.emplace_back(streams.back()->text(i));
  }
  const char* const wanted = std::getenv("UPC2C_MUTANTS");
  const unsigned long mutants = wanted == nullptr ? 4000 : std::strtoul(wanted, nullptr, 10);
  const char* const seed = std::getenv("UPC2C_SEED");
  std::mt19937_64 random(seed == nullptr ? 1 : std::strtoul(seed, nullptr, 10));
  unsigned long wrong = 0;
  for (unsigned long i = 0; i < mutants; i++) {
    const TokenStream& source = *streams[random() % streams.size()];
    const std::string text = mutant(source, words, random);
    SCOPED_TRACE(text);
    CheckOptions options;
    if (i % 4 == 0) options.threads = 4;
    const auto start = std::chrono::steady_clock::now();
    const Checked checked(text, "mutant.upc", options);
    wrong += checked.diagnostics.errors() != 0;
    if (i % 16 == 0) (void)render_text(checked.diagnostics, checked.stream, {});
    if (i % 16 == 1) (void)render_json(checked.diagnostics, checked.stream);
    if (checked.diagnostics.errors() == 0) (void)translated(text);
    ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << text;
  }
  EXPECT_GE(wrong * 2, mutants);
}

std::string repeated(const std::string& unit, unsigned count) {
  std::string out;
  for (unsigned i = 0; i < count; i++) out += unit;
  return out;
}

// Ends, with or without an error.
void check_ends(const std::string& what, const std::string& text) {
  EXPECT_LE(translated(text).errors, 20u) << what;
}

TEST(Robustness, DeepNesting) {
  constexpr unsigned kDeep = 10000;
  const struct {
    const char *before, *open, *middle, *close, *after;
  } rows[] = {
      {"int x = ", "(", "1", ")", ";"},
      {"void f(void) ", "{", "", "}", ""},
      {"int x = ", "{", "1", "}", ";"},
      {"int a[1]; int x = ", "a[", "0", "]", ";"},
      {"shared int ", "*", "p", "", ";"},
      {"int ", "(*", "f", ")(void)", ";"},
      {"int x = ", "-", "1", "", ";"},
      {"int x = 1", " + 1", "", "", ";"},
      {"int x = 1", ", 1", "", "", ";"},
      {"int *x; int f(void) { return *x", "[0]", "", "", "; }"},
      {"struct s { struct s *n; } *x; void f(void) { x", "->n", "", "", " = 0; }"},
      {"int x = 1", " ? 1", "", " : 1", ";"},
      {"int x = 1 ? 1", " : 1 ? 1", "", "", " : 1;"},
      {"int f(void) { int x; x", " = x", "", "", "; }"},
      {"", "struct {", "int x;", "} y;", ""},
      {"shared int a[THREADS]; int f(void) { return a[0]", " + a[0]", "", "", "; }"},
      {"int f(void) { return ", "sizeof(", "1", ")", "; }"},
      {"int f(int x) { ", "if (x) ", "x++;", "", "}"},
      {"int f(int x) { ", "while (x) ", "x++;", "", "}"},
      {"int f(int x) { ", "upc_forall (;;; x) ", "x++;", "", "}"},
      {"int f(int x) { ", "if (x) x++; else ", "x--;", "", "}"},
      {"int f(int x) { switch (x) { ", "case 1: ", ";", "", "} }"},
      {"int f(int x) { return ", "({ ", "x;", " });", "}"},
      {"int f(int x) { return ", "f(", "x", ")", "; }"},
      {"int x = ", "__builtin_va_arg(", "1", ", int)", ";"},
      {"", "int (*f)(", "int", ")", ";"},
      {"__typeof__", "(__typeof__", "(int)", ")", " x;"},
      {"int x = ", "_Generic(1, default: ", "1", ")", ";"},
      {"int a", "[2]", "", "", ";"},
      {"shared int a[THREADS]", "[1]", "", "", ";"},
      {"int x = ", "(int)", "1", "", ";"},
      {"", "__attribute__((aligned(sizeof(", "int", "))))", " int x;"},
      {"int x = ", "!", "1", "", ";"},
      {"char *s = ", "\"a\" ", "", "", ";"},
      {"int x = ", "0 || ", "1", "", ";"},
      {"enum { A0 ", "= 1, A", "", "", "};"},
  };
  on_a_large_stack([&] {
    for (const auto& row : rows) {
      const std::string name = std::string(row.before) + row.open;
      check_ends(
          name, row.before + repeated(row.open, kDeep) + row.middle + repeated(row.close, kDeep) + row.after);
      check_ends(name,
                 row.before + repeated(row.open, 1990) + row.middle + repeated(row.close, 1990) + row.after);
      check_ends(name,
                 row.before + repeated(row.open, 590) + row.middle + repeated(row.close, 590) + row.after);
    }
  });
}

// More than the levels of C11 5.2.4.1, and as many as other compilers take.
TEST(Robustness, DepthsThatProgramsHave) {
  const struct {
    unsigned count;
    const char *before, *open, *middle, *close, *after;
  } rows[] = {
      {256, "shared int s; int f(void) { return ", "(", "s", ")", "; }"},
      {256, "shared int s; int f(void) ", "{", "return s;", "}", ""},
      {256, "shared int s; int f(int x) { return ", "f(", "s", ")", "; }"},
      {256, "shared int s; int f(int x) { ", "if (s) { ", "x++;", "}", " return x; }"},
      {256, "shared int s; int f(int x) { ", "for (; s; ) ", "x++;", "", " return x; }"},
      {256, "shared int s; int f(void) { return ", "s ? 1 : ", "0", "", "; }"},
      {127, "struct s ", "{ struct ", "{ shared int *p; }", "m; }",
       "; shared int s; void f(void) { s = 1; }"},
      {1900, "shared int s; int f(void) { return s", " + s", "", "", "; }"},
      {1900, "shared int s; int f(void) { return s", ", s", "", "", "; }"},
      {30000, "shared int s; void f(void) { static int t; ", "if (s) t = 1; else ", "t = 2;", "", " }"},
      {30000, "shared int s; void f(void) { static shared int *t; ", "if (s) t = &s; else ", ";", "", " }"},
      {30000, "enum { A }; shared int s; void f(int x) { switch (x) { ", "case A: ", "s = x;", "", "} }"},
      {30000, "shared int s; void f(int x) { ", "a: ", "s = x;", "", " }"},
      {30000, "shared int s; int f(void) { int a[] = {", "s, ", "s", "", "}; return a[0]; }"},
      {30000, "shared int s; void f(void) { ", "s = 1; ", "", "", " }"},
  };
  on_a_large_stack([&] {
    for (const auto& row : rows) {
      const std::string text = row.before + repeated(row.open, row.count) + row.middle +
                               repeated(row.close, row.count) + row.after;
      const Translation result = translated(text);
      EXPECT_EQ(result.errors, 0u) << row.before << row.open << result.messages.substr(0, 500);
      EXPECT_NE(result.c.find("UPCR_SET_SRCPOS"), std::string::npos) << row.before << row.open;
    }
  });
}

// Types and structures that are made of each other by declaration after declaration.
TEST(Robustness, LongChainsOfDeclarations) {
  std::string types = "typedef shared int T0;", arrays = "typedef shared [] int A0;",
              functions = "typedef int F0(void);", records = "struct s0 { const shared int *p; };", unions;
  for (unsigned i = 1; i < 3000; i++) {
    const std::string now = std::to_string(i), last = std::to_string(i - 1);
    types += "typedef T" + last + " *T" + now + ";";
    arrays += "typedef A" + last + " A" + now + "[1];";
    functions += "typedef int F" + now + "(F" + last + " *);";
    records += "struct s" + now + " { struct s" + last + " a; };";
    unions += "union u" + now + " { int x; struct { int y; } z; }; ";
  }
  check_ends("pointers", types + "T2999 x, *y; void f(void) { x = *y; }");
  check_ends("arrays", arrays + "A2999 x; unsigned long n = sizeof(x); void f(void) { A2999 *p = &x; p++; }");
  check_ends("functions", functions + "F2999 f, g; F2999 *h = f;");
  check_ends("structures",
             records + "shared struct s2999 x, y; struct s2999 z = {0}; void f(void) { x = y; x = z; }");
  check_ends("unions", unions);
}

// An error in each of many lines takes time in proportion.
TEST(Robustness, ManyErrors) {
  std::string text = "shared int *p; int *q;\nvoid f(void) {\n";
  for (unsigned i = 0; i < 50000; i++) text += "q = p;\n";
  const Checked checked(text + "}\n");
  EXPECT_EQ(checked.diagnostics.errors(), 50000u);
  const std::string rendered = render_text(checked.diagnostics, checked.stream, {});
  EXPECT_NE(rendered.find("too many errors"), std::string::npos);
}

}  // namespace
}  // namespace upc2c
