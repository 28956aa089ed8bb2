// SPDX-License-Identifier: BSD-3-Clause
// Statics of functions that are written at file scope under other names: shared objects, unshared ones whose
// initial values UPCRI_INIT assigns, and with pthreads all of them. Types that functions declare are moved
// with the objects that need them. Also gives tags to structures without a name.
#pragma once
#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tools/upc2c/ast/symbol.hpp"

namespace upc2c {

struct Lower;

class MovedStatics {
 public:
  explicit MovedStatics(Lower& lower) : lower_(lower) {}

  // Before an external declaration is lowered: finds its statics, and marks the nodes that name what is moved
  // as to be translated.
  void find(Node* external);

  bool is_moved(const Symbol& symbol) const { return names_.contains(&symbol); }
  // Whether a static cannot be moved: a table of labels, which is the same for all threads.
  bool stays(const Symbol& symbol) const { return staying_.contains(&symbol); }
  // The name in the output; of others the program's.
  std::string name(const Symbol& symbol) const;
  // Whether the structure is declared in a function, and whether it is written at file scope.
  bool is_local(const Record& record) const { return local_.contains(&record); }
  bool is_moved(const Record& record) const { return moved_.contains(&record); }
  // Whether it has another tag than in the source, because that would hide one.
  bool is_renamed(const Record& record) const { return renamed_.contains(&record); }
  // Whether a type-name is in the initial value of what is moved, so that it must be spelled without the
  // typedefs of its function.
  bool is_elsewhere(const TypeName& name) const { return elsewhere_.contains(&name); }
  // The definitions of the structures that the type needs and that have not been written.
  std::string definitions(QualType type);

 private:
  // Of these the nodes above what has to be translated now must be, too.
  void find_marks(Node* external);
  void mark_uses(Node* function);
  bool mark_record(Node* node, std::span<Node* const> above, bool in_function);
  bool mark_renamed(const Node* node);
  static bool declares_initialized_const(const Node* node);
  bool defines_thread_data(const Node* node) const;
  bool uses_moved(const Node* node, bool elsewhere);
  void find_statics(Node* external);
  void find_static(const InitDeclarator& declarator);
  void move(const Symbol& symbol);
  void move_named(const Node* value);
  bool needs_tag(const RecordSpec& spec, const Specifiers* specifiers, const Node* declaration) const;
  void need(QualType type);
  void collect(QualType type, std::vector<const Record*>& out) const;
  std::string definition_after_parts(const Record& record);
  std::string_view keep(std::string name) { return texts_.emplace_back(std::move(name)); }
  std::string definition(const Record& record, bool with_tag);
  std::string field(const Field& field);

  Lower& lower_;
  std::unordered_map<const Symbol*, std::string> names_;
  std::unordered_set<const Symbol*> staying_;
  std::unordered_set<const TypeName*> elsewhere_;
  std::unordered_set<const Record*> local_, moved_, renamed_, written_;
  std::deque<std::string> texts_;  // of tags
  bool any_moved_ = false;         // in the external declaration
};

}  // namespace upc2c
