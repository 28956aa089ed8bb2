// SPDX-License-Identifier: BSD-3-Clause
// The system headers of the program. Their text is read for its declarations and not emitted, because the
// runtime's headers include some of them too: the includes are emitted again, with the macros that the
// program had defined where they stand.
#pragma once
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/upc2c/ast/node.hpp"
#include "tools/upc2c/text/lexer.hpp"

namespace upc2c {

struct Lower;

class Includes {
 public:
  explicit Includes(Lower& lower) : lower_(lower) {}

  // The includes between the declarations of the file, in order, and the program's #define and #undef before
  // and between them. What the program has defined is undefined again at the end.
  std::string at_file_scope(std::span<Node* const> declarations);
  // The includes of system headers between a token and the one before, each on a line of its own.
  std::string in_place(TokenIndex token);
  // #undef for the macros of the command line that may be names in the runtime's headers: -Dn=100.
  std::string undefine_command_line();
  // #undef for names that are macros of a header and yet occur in the text of the program, which has been
  // expanded before: the second time they must not be.
  std::string undefine_used();

 private:
  // An include of a system header by text that is none.
  struct SystemInclude {
    TokenIndex before;
    std::size_t directive;  // the index of the line marker that enters the header
    std::uint32_t offset;   // where the line stands
    std::string text;       // #include <...>
  };
  const std::vector<SystemInclude>& all();
  const Directive* include_of(std::size_t entry, std::size_t first) const;
  std::string include_text(const Directive* include, std::string_view file) const;

  Lower& lower_;
  bool found_ = false;
  std::vector<SystemInclude> all_;
};

}  // namespace upc2c
