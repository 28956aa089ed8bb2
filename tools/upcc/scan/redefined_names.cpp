// SPDX-License-Identifier: BSD-3-Clause
// See redefined_names.hpp.
#include "tools/upcc/scan/redefined_names.hpp"

#include <algorithm>
#include <map>

namespace upcc {
namespace {

using std::string_view;
using Tokens = std::vector<Token>;

bool starts(string_view text, string_view start) { return text.substr(0, start.size()) == start; }

// The parameter list and the argument list of a collective.
struct Signature {
  std::string parameters, arguments;
};

const std::map<std::string, Signature, std::less<>>& collectives() {
  static const auto all = [] {
    std::map<std::string, Signature, std::less<>> made;
    const std::string places = "(upcr_shared_ptr_t d, upcr_shared_ptr_t s, ";
    for (const char* name : {"broadcast", "scatter", "gather", "gather_all", "exchange"})
      made[std::string("upc_all_") + name] = {places + "size_t n, int f)", "(d, s, n, f)"};
    made["upc_all_permute"] = {places + "upcr_pshared_ptr_t p, size_t n, int f)", "(d, s, p, n, f)"};
    static const std::pair<const char*, const char*> kTypes[] = {
        {"C", "signed char"}, {"UC", "unsigned char"}, {"S", "short"},       {"US", "unsigned short"},
        {"I", "int"},         {"UI", "unsigned int"},  {"L", "long"},        {"UL", "unsigned long"},
        {"F", "float"},       {"D", "double"},         {"LD", "long double"}};
    for (const auto& [letters, type] : kTypes)
      for (const char* name : {"upc_all_reduce", "upc_all_prefix_reduce"}) {
        const std::string t = type;
        made[name + std::string(letters)] = {places + "unsigned long long op, size_t n, size_t b, " + t +
                                                 " (*func)(" + t + ", " + t + "), int f)",
                                             "(d, s, op, n, b, func, f)"};
      }
    return made;
  }();
  return all;
}

bool is_library_type(string_view name) {
  return name == "upc_flag_t" || name == "upc_op_t" || name == "upc_type_t" || name == "upc_off_t";
}

// One pass over the tokens, which tracks the start of the current declaration and the depth of braces.
class RedefinitionFinder {
 public:
  explicit RedefinitionFinder(const Tokens& tokens) : t_(tokens) {}

  std::vector<RedefinedName> find() {
    for (std::size_t i = 0; i < t_.size(); ++i) {
      const Token& token = t_[i];
      if (token.kind == TokenKind::kDirective) {
        if (depth_ == 0) begin_ = i + 1;
        continue;
      }
      if (token.is("{"))
        open(i);
      else if (token.is("}"))
        close(i);
      else if (token.is(";") && depth_ == 0)
        begin_ = i + 1;
      else if (token.name())
        visit_name(i);
    }
    return std::move(found_);
  }

 private:
  bool next_is(std::size_t i, string_view text) const { return i + 1 < t_.size() && t_[i + 1].is(text); }

  // Constants of "enum {" and "enum tag {" at file scope are names of the file scope.
  void open(std::size_t i) {
    if (depth_++ != 0) return;
    enumeration_ = (i >= 1 && t_[i - 1].is("enum")) || (i >= 2 && t_[i - 2].is("enum"));
    // The bodies of structures, enumerations and initialisers are parts of a declaration.
    function_ = i >= 1 && (t_[i - 1].is(")") || t_[i - 1].is(";"));
  }
  void close(std::size_t i) {
    if (depth_ == 0 || --depth_ != 0) return;
    enumeration_ = false;
    if (function_) begin_ = i + 1;
  }

  void visit_name(std::size_t i) {
    const string_view name = t_[i].text;
    if (depth_ == 1 && enumeration_ && starts(name, "UPC_") &&
        (next_is(i, "=") || next_is(i, ",") || next_is(i, "}")))
      add(name, false);
    if (depth_ != 0) return;
    if (is_library_type(name) && t_[begin_].is("typedef") && next_is(i, ";")) add(name, true);
    if (starts(name, "upc_") && next_is(i, "(") && i > begin_ && (is_collective(name) || is_definition(i)))
      add(name, false);
  }

  // The index after the parenthesis that closes the one at `k`, or the end.
  std::size_t after_parentheses(std::size_t k) const {
    int parentheses = 0;
    for (; k < t_.size(); ++k) {
      if (t_[k].is("(")) ++parentheses;
      if (t_[k].is(")") && --parentheses == 0) return k + 1;
    }
    return k;
  }

  // Whether this is "T name(...) {", possibly with old-style declarations of parameters before the brace.
  bool is_definition(std::size_t i) const {
    bool directly = true;
    for (std::size_t k = after_parentheses(i + 1); k < t_.size();) {
      if (t_[k].is("{")) return directly || t_[k - 1].is(";");
      if (directly && (t_[k].is(";") || t_[k].is(","))) return false;
      if (t_[k].is("=") || t_[k].is("}")) return false;
      const bool attribute = t_[k].is("__attribute__") || t_[k].is("__asm__") || t_[k].is("asm");
      if (attribute && next_is(k, "(")) {
        k = after_parentheses(k + 1);
        continue;
      }
      if (t_[k].kind != TokenKind::kDirective) directly = false;
      ++k;
    }
    return false;
  }

  void add(string_view name, bool is_type) {
    if (std::none_of(found_.begin(), found_.end(),
                     [name](const RedefinedName& own) { return own.name == name; }))
      found_.push_back({begin_, std::string(name), is_type});
  }

  const Tokens& t_;
  std::vector<RedefinedName> found_;
  std::size_t begin_ = 0;  // of the declaration at file scope
  int depth_ = 0;
  bool enumeration_ = false, function_ = false;
};

}  // namespace

std::vector<RedefinedName> find_redefined_names(const Tokens& tokens) {
  return RedefinitionFinder(tokens).find();
}

bool is_collective(string_view name) { return collectives().find(name) != collectives().end(); }

std::string collective_definitions(const std::map<std::string, int>& wanted) {
  std::string text;
  for (const auto& [name, encoding] : wanted) {
    const auto it = collectives().find(name);
    if (it == collectives().end()) continue;
    // Declared here, because the header might map the name to another one.
    if (text.empty())
      text =
          "/* collectives that files declare and no file defines */\n"
          "#include <upcr/types.h>\n#include <upcr/encoding.h>\n";
    text +=
        "extern void b" + name + it->second.parameters + ";\nvoid " + name + it->second.parameters + "\n{\n";
    const bool has_operator = it->second.parameters.find(" op,") != std::string::npos;
    if (encoding != 0) text += "    f = upcri_flags_complete(upcri_flags_2_20(f));\n";
    // Operators were an int in those releases, so the upper half of the register is undefined.
    if (encoding == 1 && has_operator) text += "    op = (unsigned)op;\n";
    if (encoding == 2 && has_operator) text += "    op = upcri_op_2_12((unsigned)op);\n";
    text += "    b" + name + it->second.arguments + ";\n}\n";
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace upcc
