// SPDX-License-Identifier: BSD-3-Clause
// What splicing relies on: parts lie in the whole, in the order of the text, and the whole is its tokens with
// the texts of its parts in their places.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/upc2c/support/source.hpp"
#include "tools/upc2c/ast/dump.hpp"

namespace upc2c {
namespace {

// The text of a node from its tokens and its parts.
void splice(const Node* node, const TokenStream& stream, std::string& out) {
  TokenIndex at = node->tokens.begin;
  const auto copy_to = [&](TokenIndex end) {
    for (; at < end; at++) {
      if (at != node->tokens.begin) out += stream.gap(at);
      out += stream.text(at);
    }
  };
  for (const Node* child : node->children()) {
    if (child == nullptr || child->tokens.empty()) continue;
    ASSERT_GE(child->tokens.begin, at)
        << kind_name(child->kind) << " in " << kind_name(node->kind) << ": " << stream.text(node->tokens);
    ASSERT_LE(child->tokens.end, node->tokens.end)
        << kind_name(child->kind) << " in " << kind_name(node->kind);
    copy_to(child->tokens.begin);
    if (child->tokens.begin != node->tokens.begin) out += stream.gap(child->tokens.begin);
    splice(child, stream, out);
    at = child->tokens.end;
  }
  copy_to(node->tokens.end);
}

void expect_spliced(const std::string& text, const std::string& name) {
  Checked checked(text, name);
  EXPECT_EQ(checked.diagnostics.errors(), 0u) << checked.messages();
  TokenIndex next = 0;
  for (const Node* item : checked.items) {
    ASSERT_EQ(item->tokens.begin, next) << name;
    next = item->tokens.end;
    std::string out;
    splice(item, checked.stream, out);
    ASSERT_EQ(out, checked.stream.text(item->tokens)) << name;
  }
  EXPECT_EQ(next + 1, checked.stream.tokens().size());
}

TEST(Tree, SplicesToItsTextForTheExamples) {
  for (const std::string& file : example_programs()) expect_spliced(preprocessed(file, upc_options()), file);
}

TEST(Tree, SplicesToItsTextForPrograms) {
  for (const auto& entry : std::filesystem::directory_iterator(UPC2C_PROGRAMS))
    expect_spliced(read_file(entry.path()), entry.path());
}

TEST(Tree, PartsWithUpcMakeTheWholeHaveIt) {
  for (const std::string& file : example_programs()) {
    Checked checked(preprocessed(file, upc_options()), file);
    unsigned with = 0, without = 0;
    const auto walk = [&](const auto& self, const Node* node) -> void {
      (node->has_upc ? with : without)++;
      for (const Node* child : node->children()) {
        if (child == nullptr) continue;
        EXPECT_TRUE(node->has_upc || !child->has_upc) << checked.stream.text(node->tokens);
        self(self, child);
      }
    };
    for (const Node* item : checked.items)
      if (checked.stream.token(item->tokens.begin).origin == Origin::kUser) walk(walk, item);
    EXPECT_GT(with, 0u) << file;
    EXPECT_GT(without, with) << file;
  }
}

}  // namespace

}  // namespace upc2c
