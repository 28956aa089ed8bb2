// SPDX-License-Identifier: BSD-3-Clause
// Lines of the output are those of the source, so that gcc's messages and gdb name them.
#include "tools/upc2c/lower/positions.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "tests/upc2c/support/source.hpp"
#include "tools/upc2c/driver.hpp"

namespace upc2c {
namespace {

Translation translated(const std::string& text, const std::string& file, bool pthreads = false) {
  TranslateOptions options;
  options.lower.file = file;
  options.lower.pthreads = pthreads;
  Translation result = translate(text, options);
  EXPECT_EQ(result.errors, 0u) << result.messages;
  return result;
}

// Places of identifiers that occur once. The output's text before the first line marker is none of the
// source.
std::map<std::string, std::string> places_of_single_names(const TokenStream& stream,
                                                          const std::string& unless_in) {
  std::map<std::string, std::string> places;
  for (TokenIndex i = 0; i + 1 < stream.tokens().size(); i++) {
    const Token& token = stream.token(i);
    if (!token.is(Tok::kIdentifier) || token.origin != Origin::kUser) continue;
    const Place place = stream.place(i);
    if (place.file == unless_in) continue;
    const std::string name(stream.text(i));
    const bool fresh =
        places.emplace(name, std::string(place.file) + ":" + std::to_string(place.line)).second;
    if (!fresh) places[name] = "several";
  }
  std::erase_if(places, [](const auto& entry) { return entry.second == "several"; });
  return places;
}

struct Compared {
  std::size_t names = 0, of = 0;
};

void expect_lines(const std::string& file, bool pthreads, Compared& compared) {
  const std::string text = preprocessed(file, upc_options());
  const TokenStream source(text, file), output(translated(text, file, pthreads).c, "prologue");
  const auto wanted = places_of_single_names(source, ""), found = places_of_single_names(output, "prologue");
  compared.of += wanted.size();
  for (const auto& [name, place] : wanted) {
    const auto same = found.find(name);
    if (same == found.end()) continue;
    compared.names++;
    EXPECT_EQ(same->second, place) << name;
  }
}

TEST(Positions, LinesAreThoseOfTheSourceForTheExamples) {
  Compared compared;
  for (const std::string& file : example_programs()) expect_lines(file, false, compared);
  EXPECT_GE(compared.names * 2, compared.of);  // most names stay
}

TEST(Positions, LinesAreThoseOfTheSourceForPrograms) {
  unsigned count = 0;
  Compared compared;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(UPC2C_CLAUSES)) {
    if (entry.path().extension() != ".upc") continue;
    expect_lines(entry.path(), ++count % 2 == 0, compared);
  }
  EXPECT_GE(compared.names * 2, compared.of);
  EXPECT_GT(count, 20u);
}

TEST(Positions, MarksBecomeLineEndsOrLines) {
  const TokenStream stream(
      "# 5 \"a.upc\"\nint a;\n\n\nint b;\n# 90 \"a.upc\"\nint c;\n# 1 \"b.h\" 1\nint d;\n", "t");
  const auto mark = [&](const char* name) {
    for (TokenIndex i = 0;; i++)
      if (stream.text(i) == name) return Positions::mark(i);
  };
  const Positions positions(stream);
  EXPECT_EQ(positions.written(mark("a") + "A;" + mark("b") + "B;"), "#line 5 \"a.upc\"\nA;\n\n\nB;");
  EXPECT_EQ(positions.written(mark("a") + "A; " + mark("c") + "C;"),
            "#line 5 \"a.upc\"\nA; \n#line 90 \"a.upc\"\nC;");
  EXPECT_EQ(positions.written(mark("b") + "B;" + mark("a") + "A;"),
            "#line 8 \"a.upc\"\nB;\n#line 5 \"a.upc\"\nA;");
  EXPECT_EQ(positions.written(mark("a") + "A;" + mark("d") + "D;\n" + mark("b") + "B"),
            "#line 5 \"a.upc\"\nA;\n#line 1 \"b.h\"\nD;\n#line 8 \"a.upc\"\nB");
}

TEST(Positions, WithinExpressionsThereAreNoDirectives) {
  const TokenStream stream("# 5 \"a.upc\"\nint a;\nint b;\n# 90 \"a.upc\"\nint c;\n", "t");
  const Positions positions(stream);
  EXPECT_EQ(positions.written(Positions::mark(1) + "A" + Positions::weak_mark(4) + "B" +
                              Positions::weak_mark(7) + "C" + Positions::weak_mark(1) + "D"),
            "#line 5 \"a.upc\"\nA\nBCD");
}

TEST(Positions, DirectivesStandOnLinesOfTheirOwn) {
  const TokenStream stream("# 5 \"a.upc\"\nint a;\n#pragma x\nint b;\n", "t");
  const Positions positions(stream);
  EXPECT_EQ(
      positions.written(Positions::mark(1) + "A;" + Positions::line(stream.pragmas()[0].offset, "#pragma x") +
                        Positions::mark(4) + "B;"),
      "#line 5 \"a.upc\"\nA;\n#pragma x\nB;");
  EXPECT_EQ(Positions::without_marks(Positions::mark(1) + "A" + Positions::weak_mark(4) + ";"), "A;");
}

// The C compiler's messages name the line of the source.
TEST(Positions, ErrorsOfTheCCompilerAreAtTheirLines) {
  const std::string source =
      "#include <upc.h>\n"
      "#include <stdio.h>\n"
      "shared int x;\n"
      "int f(void)\n"
      "{\n"
      "    x += 1;\n"
      "    upc_barrier; x = 2 + (\n"
      "        x);\n"
      "    goto undeclared_label;\n"
      "}\n";
  const Translation result = translated(preprocessed("", upc_options(), source), "f.upc");
  std::string messages;
  EXPECT_FALSE(compiles(result.c, messages, upc_options()));
  EXPECT_NE(messages.find(":9:"), std::string::npos) << messages << result.c;
}

TEST(Positions, NamesOfFilesAreQuoted) {
  EXPECT_EQ(quoted_file("a\"b\\c.upc"), "\"a\\\"b\\\\c.upc\"");
  const Translation result = translated(preprocessed("", upc_options(), "shared int x = 1;\n"), "a\"b.upc");
  EXPECT_NE(result.c.find("\"<start-up of a\\\"b.upc>\""), std::string::npos) << result.c;
}

}  // namespace
}  // namespace upc2c
