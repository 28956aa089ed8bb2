// SPDX-License-Identifier: BSD-3-Clause
// Text for the tests of the front end: parsed from strings, preprocessed by the C compiler, compiled by it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tools/upc2c/ast/arena.hpp"
#include "tools/upc2c/ast/decl.hpp"
#include "tools/upc2c/check/checker.hpp"
#include "tools/upc2c/diag/diagnostics.hpp"
#include "tools/upc2c/text/lexer.hpp"

// A text with its tree.
struct Parsed {
  explicit Parsed(std::string text, std::string name = "test.upc");

  upc2c::TokenStream stream;
  upc2c::Arena arena;
  upc2c::Diagnostics diagnostics;
  upc2c::TranslationUnit* unit;

  // "D-SYNTAX test.upc:3:7 text", a line each.
  std::string messages() const;
};

// A text with its tree, checked as far as it is C.
struct Checked {
  // `warnings`: options -W...
  explicit Checked(std::string text, std::string name = "test.upc", const upc2c::CheckOptions& options = {},
                   const std::vector<std::string>& warnings = {});

  upc2c::TokenStream stream;
  upc2c::Arena arena;
  upc2c::Types types;
  upc2c::Diagnostics diagnostics;
  upc2c::Checker checker;
  std::vector<upc2c::Node*> items;

  std::string messages() const;
  // The ids of the messages, "D-LAY-DUP D-LAY-BIG".
  std::string ids() const;
};

std::string messages_of(const upc2c::Diagnostics& diagnostics, const upc2c::TokenStream& stream);

// cc -E of a file, or of a text if `text` is not empty, with the UPC headers in the include path.
std::string preprocessed(const std::string& file, const std::string& options = "",
                         const std::string& text = "");
// The same by another compiler.
std::string preprocessed_by(const std::string& compiler, const std::string& file, const std::string& options,
                            const std::string& text);
// Whether the C compiler takes the text without error; what it says is in `output`.
bool compiles(const std::string& text, std::string& output, const std::string& options = "");
// The same for another compiler, which gets only these options.
bool compiles_with(const std::string& compiler, const std::string& text, std::string& output,
                   const std::string& options);
// The UPC programs of docs/examples.
std::vector<std::string> example_programs();
// What to define for a UPC source.
std::string upc_options();
std::string read_file(const std::string& path);
// Whether the program compiles, links and exits with 0.
bool runs(const std::string& text, std::string& output);
