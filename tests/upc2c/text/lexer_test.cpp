// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/text/lexer.hpp"

#include <gtest/gtest.h>

#include "tests/upc2c/support/source.hpp"

namespace upc2c {
namespace {

// Spellings with blanks between.
std::string spellings(const TokenStream& stream) {
  std::string out;
  for (TokenIndex i = 0; i + 1 < stream.tokens().size(); i++)
    out += (i ? " " : "") + std::string(stream.text(i));
  return out;
}

TEST(Lexer, TakesTheLongestPunctuator) {
  EXPECT_EQ(spellings(TokenStream("a+++b<<=c>>d->e...f&&=g||h!=i", "t")),
            "a ++ + b <<= c >> d -> e ... f && = g || h != i");
  const TokenStream stream("<: :> <% %> ->", "t");
  EXPECT_TRUE(stream.token(0).is(Tok::kLBracket) && stream.token(1).is(Tok::kRBracket));
  EXPECT_TRUE(stream.token(2).is(Tok::kLBrace) && stream.token(3).is(Tok::kRBrace) &&
              stream.token(4).is(Tok::kArrow));
}

TEST(Lexer, ReadsNumbersAndConstants) {
  EXPECT_EQ(spellings(TokenStream("1.5e+3f 0x1p-4 .5 1..2 0b11 10ull 1.e-2", "t")),
            "1.5e+3f 0x1p-4 .5 1..2 0b11 10ull 1.e-2");
  EXPECT_EQ(spellings(TokenStream(R"(L"a\"b" u8"x" 'c' L'\'' u"y" U'z' u8 x)", "t")),
            R"(L"a\"b" u8"x" 'c' L'\'' u"y" U'z' u8 x)");
  EXPECT_EQ(spellings(TokenStream("\\u00e9t\\U000000e9 é $x", "t")), "\\u00e9t\\U000000e9 é $x");
}

TEST(Lexer, UnterminatedConstantsEndWithTheLineOrTheText) {
  EXPECT_EQ(spellings(TokenStream("\"abc\nint", "t")), "\"abc int");
  EXPECT_EQ(spellings(TokenStream("'", "t")), "'");
  EXPECT_EQ(spellings(TokenStream("\"\\", "t")), "\"\\");
  EXPECT_EQ(spellings(TokenStream("/* open", "t")), "");
  EXPECT_EQ(TokenStream("", "t").tokens().size(), 1u);
}

TEST(Lexer, KeywordsHaveOneKindForAllSpellings) {
  const TokenStream stream("const __const __const__ typeof __typeof__ __asm__ asm", "t");
  for (TokenIndex i = 1; i < 3; i++) EXPECT_TRUE(stream.token(i).is(Tok::kConst));
  EXPECT_TRUE(stream.token(3).is(Tok::kTypeof) && stream.token(4).is(Tok::kTypeof));
  EXPECT_TRUE(stream.token(5).is(Tok::kAsm) && stream.token(6).is(Tok::kAsm));
  EXPECT_EQ(spelling(Tok::kConst), "const");
  EXPECT_EQ(spelling(Tok::kShiftLeftEqual), "<<=");
}

TEST(Lexer, LineMarkersGivePlaces) {
  const TokenStream stream("# 1 \"a.upc\"\nint x;\n# 7 \"h.h\" 1\nint y;\n# 3 \"a.upc\" 2\n\nint z;\n", "t");
  const auto where = [&](TokenIndex i) {
    const Place p = stream.place(i);
    return std::string(p.file) + ":" + std::to_string(p.line) + ":" + std::to_string(p.column);
  };
  EXPECT_EQ(where(1), "a.upc:1:5");
  EXPECT_EQ(where(4), "h.h:7:5");
  EXPECT_EQ(where(7), "a.upc:4:5");
  const Place from = stream.lines().includer(stream.lines().stretch(stream.token(4).offset));
  EXPECT_EQ(from.file, "a.upc");
  EXPECT_EQ(from.line, 2u);
  EXPECT_TRUE(stream.token(3).after_directive);
  EXPECT_FALSE(stream.token(4).after_directive);
}

TEST(Lexer, KeywordsOfUpcAreNamesInSystemTextAndInCCode) {
  const TokenStream stream(
      "# 1 \"/usr/include/x.h\" 1 3\nstrict\n# 2 \"a.upc\" 2\nstrict\n#pragma upc c_code\nstrict\n#pragma upc upc_code\nstrict\n"
      "# 1 \"/x/upcr_preinclude/upc.h\" 1 3\nshared\n",
      "t");
  EXPECT_TRUE(stream.token(0).is(Tok::kIdentifier));
  EXPECT_EQ(stream.token(0).origin, Origin::kSystem);
  EXPECT_TRUE(stream.token(1).is(Tok::kStrict));
  EXPECT_TRUE(stream.token(2).is(Tok::kIdentifier));
  EXPECT_TRUE(stream.token(3).is(Tok::kStrict));
  EXPECT_TRUE(stream.token(4).is(Tok::kShared));
  EXPECT_EQ(stream.token(4).origin, Origin::kLibrary);
  EXPECT_TRUE(stream.has_upc_keyword({3, 4}));
  EXPECT_FALSE(stream.has_upc_keyword({2, 3}));
}

TEST(Lexer, MacrosOfSystemHeadersExpandToTextOfTheUser) {
  const TokenStream stream(
      "# 1 \"a.upc\"\n# 1 \"/usr/include/x.h\" 1 3 4\nint x;\n# 2 \"a.upc\" 2\nint *p =\n# 2 \"a.upc\" 3 4\n"
      "((void *)0)\n# 2 \"a.upc\"\n;\n# 9 \"/usr/include/x.h\" 3 4\nint y;\n# 3 \"a.upc\" 2 3 4\nz\n",
      "t");
  EXPECT_EQ(stream.token(0).origin, Origin::kSystem);
  for (TokenIndex i = 3; i < 15; i++) EXPECT_EQ(stream.token(i).origin, Origin::kUser) << stream.text(i);
  EXPECT_EQ(stream.text(15), "int");
  EXPECT_EQ(stream.token(15).origin, Origin::kSystem);
  EXPECT_EQ(stream.text(18), "z");
  EXPECT_EQ(stream.token(18).origin, Origin::kUser);
}

TEST(Lexer, PragmasAndDirectivesStandByTheTokenThatFollows) {
  const TokenStream stream(
      "#define A 1\nint\n#pragma upc strict\nx;\n#  pragma pack(push, 1)\n#include <x.h>\n#undef A\n", "t");
  ASSERT_EQ(stream.pragmas().size(), 2u);
  EXPECT_EQ(stream.pragmas()[0].kind, PragmaKind::kStrict);
  EXPECT_EQ(stream.pragmas()[0].before, 1u);
  EXPECT_EQ(stream.pragmas()[1].kind, PragmaKind::kPack);
  ASSERT_EQ(stream.directives().size(), 3u);
  EXPECT_EQ(stream.directives()[0].kind, DirectiveKind::kDefine);
  EXPECT_EQ(stream.text(stream.directives()[1]), "#include <x.h>");
  EXPECT_EQ(stream.directives()[2].kind, DirectiveKind::kUndef);
}

// What splicing relies on: gaps and tokens are the input.
TEST(Lexer, GapsAndTokensAreTheInput) {
  for (const std::string& file : example_programs()) {
    const std::string text = preprocessed(file, upc_options());
    const TokenStream stream(text, file);
    std::string again;
    for (TokenIndex i = 0; i < stream.tokens().size(); i++)
      again += std::string(stream.gap(i)) + std::string(stream.text(i));
    EXPECT_EQ(again, text) << file;
  }
}

TEST(Names, AreDenseAndFound) {
  NameTable names;
  std::vector<std::string> words;
  for (int i = 0; i < 20000; i++) words.push_back("n" + std::to_string(i));
  for (const std::string& word : words) names.intern(word);
  for (std::size_t i = 0; i < words.size(); i++) {
    EXPECT_EQ(names.intern(words[i]), i + 1);
    EXPECT_EQ(names.text(names.find(words[i])), words[i]);
  }
  EXPECT_EQ(names.find("absent"), 0u);
}

// As gcc writes `bool f(void) { return NULL; }` of a file that includes <stdbool.h> and <stddef.h>.
TEST(Lexer, MacrosOfSystemHeadersAreUserTextWhereTheyAreUsed) {
  const TokenStream s(
      "# 1 \"f.upc\"\n# 1 \"/usr/include/stdbool.h\" 1 3 4\nint in_header;\n# 9 \"/usr/include/stdbool.h\" 3 4\n"
      "int also;\n# 2 \"f.upc\" 2\n\n# 3 \"f.upc\" 3 4\n_Bool\n# 3 \"f.upc\"\n f(void) { return\n# 3 \"f.upc\" 3 4\n"
      "((void *)0)\n# 3 \"f.upc\"\n; }\n",
      "f.upc");
  for (TokenIndex i = 0; i + 1 < s.tokens().size(); i++)
    EXPECT_EQ(s.token(i).origin, i < 6 ? Origin::kSystem : Origin::kUser) << s.text(i);
  EXPECT_EQ(s.text(6), "_Bool");
  EXPECT_EQ(s.place(6).line, 3u);
}

}  // namespace

}  // namespace upc2c
