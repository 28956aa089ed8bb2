// SPDX-License-Identifier: BSD-3-Clause
// Programs with mistakes, in the folders beside this file. A comment at the end of a line says what is wrong
// there, and the front end must report exactly that:
//
//     n = p4 - p1;    // error: D-ARI-BLOCK at '-'
//
// "error" or "warning", the id, and if there is an "at" how the text under the caret (before it, where
// something is missing at the end of a line) begins. Several messages of one line are separated by "; ". A
// line "// options: -Wupc-heap-size -T4" has options of upcc.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "tests/upc2c/support/source.hpp"
#include "tools/upc2c/diag/original.hpp"

namespace upc2c {
namespace {

struct Message {
  std::uint32_t line = 0;
  std::string severity, id, text;  // text: at the caret, "" where the program does not say

  bool operator<(const Message& o) const {
    return std::tie(line, severity, id, text) < std::tie(o.line, o.severity, o.id, o.text);
  }
  std::string words() const {
    return "line " + std::to_string(line) + ": " + severity + ": " + id +
           (text.empty() ? "" : " at '" + text.substr(0, 20) + "'");
  }
};

struct Program {
  std::vector<Message> expected;
  std::vector<std::string> warnings;
  CheckOptions check;
};

// "error: D-X at 'y'; warning: D-Z"
void read_comment(std::string comment, std::uint32_t line, std::vector<Message>& out) {
  while (!comment.empty()) {
    const std::size_t end = comment.find("; ");
    std::string one = comment.substr(0, end);
    comment = end == std::string::npos ? "" : comment.substr(end + 2);
    Message message;
    message.line = line;
    if (const std::size_t at = one.find(" at '"); at != std::string::npos) {
      message.text = one.substr(at + 5, one.rfind('\'') - at - 5);
      one.resize(at);
    }
    const std::size_t colon = one.find(": ");
    ASSERT_NE(colon, std::string::npos) << one;
    message.severity = one.substr(0, colon);
    message.id = one.substr(colon + 2);
    out.push_back(message);
  }
}

Program read_program(const std::string& text) {
  Program program;
  std::istringstream lines(text);
  std::string line;
  for (std::uint32_t number = 1; std::getline(lines, line); number++) {
    if (line.starts_with("// options: ")) {
      std::istringstream words(line.substr(12));
      for (std::string word; words >> word;) {
        if (word.starts_with("-T"))
          program.check.threads = std::stoi(word.substr(2));
        else
          program.warnings.push_back(word);
      }
    }
    for (const char* severity : {"// error: ", "// warning: "})
      if (const std::size_t at = line.find(severity); at != std::string::npos) {
        std::string comment = line.substr(at + 3);
        comment.erase(comment.find_last_not_of(' ') + 1);
        read_comment(comment, number, program.expected);
        break;
      }
  }
  return program;
}

std::vector<std::string> programs() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(UPC2C_ERRORS))
    if (entry.path().extension() == ".upc") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Message> messages(const std::string& file, const std::string& text, const Program& program) {
  const bool includes = text.find("#include") != std::string::npos;
  Checked checked(includes ? preprocessed(file, upc_options()) : text, file, program.check, program.warnings);
  std::vector<Message> out;
  for (const Diagnostic& d : checked.diagnostics.all()) {
    Message message;
    message.line = place_of(checked.stream, d.mark).line;
    message.severity = d.severity == Severity::kError ? "error" : "warning";
    message.id = info(d.diag).id;
    const bool directive = d.mark.spot == Mark::Spot::kDirective;
    const std::uint32_t at = directive ? d.mark.offset : checked.stream.token(d.mark.caret).offset;
    message.text = checked.stream.input().substr(at, 60);
    out.push_back(message);
  }
  return out;
}

bool matches(const Message& expected, const Message& found) {
  return expected.line == found.line && expected.severity == found.severity && expected.id == found.id &&
         found.text.starts_with(expected.text);
}

TEST(Messages, AreExactlyTheExpectedOnes) {
  for (const std::string& file : programs()) {
    const std::string text = read_file(file);
    const Program program = read_program(text);
    EXPECT_FALSE(program.expected.empty()) << file;
    std::vector<Message> found = messages(file, text, program);
    for (const Message& expected : program.expected) {
      const auto match =
          std::find_if(found.begin(), found.end(), [&](const Message& m) { return matches(expected, m); });
      if (match == found.end())
        ADD_FAILURE() << file << ": missing: " << expected.words();
      else
        found.erase(match);
    }
    for (const Message& extra : found) ADD_FAILURE() << file << ": not expected: " << extra.words();
  }
}

TEST(Messages, OfEveryKindAreInTwoPrograms) {
  std::map<std::string, std::set<std::string>> files_of;
  for (const std::string& file : programs())
    for (const Message& message : read_program(read_file(file)).expected) files_of[message.id].insert(file);
  for (unsigned i = 0; i < static_cast<unsigned>(Diag::kCount); i++) {
    const std::string id(info(static_cast<Diag>(i)).id);
    if (info(static_cast<Diag>(i)).severity == Severity::kRemark) continue;  // of the optimiser: loop/
    EXPECT_GE(files_of[id].size(), 2u) << id;
    files_of.erase(id);
  }
  for (const auto& [id, files] : files_of)
    ADD_FAILURE() << "no such message: " << id << " in " << *files.begin();
}

}  // namespace
}  // namespace upc2c
