// SPDX-License-Identifier: BSD-3-Clause
// Types in C, and the typedefs of pointers-to-shared that they need.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tools/upc2c/ast/decl.hpp"

namespace upc2c {

struct Lower;

class TypeTexts {
 public:
  explicit TypeTexts(Lower& lower) : lower_(lower) {}

  // C text that declares `name`, or a type-name; its typedefs are written before the external declaration
  // that is being written. Where a type is shared itself, the text is that of the unshared one.
  std::string spell(QualType type, std::string_view name = {});
  // `node` is written at file scope if its function's names are not visible: see moved_statics.hpp.
  std::string type_name(const TypeName* node);
  // The typedef of a pointer to this shared type: upc_p4_double.
  std::string pointer_to_shared(QualType pointee);
  // The typedefs that were needed since the last call.
  std::string drain_typedefs();

  // A number in the output was computed from the size of this type: the C compiler checks it.
  void assert_size(QualType type);
  // The same for the types in the sizeof operators of an expression, which may be null.
  void assert_sizes_in(const Node* expression);
  // The assertions, for the end of the file.
  std::string assertions();

 private:
  void need_typedefs(QualType type);

  Lower& lower_;
  std::set<std::string> typedefs_;  // written or drained
  std::string pending_;
  std::vector<QualType> asserted_;
};

// An integer constant as C text of its type's size and sign.
std::string integer_text(__int128 value, QualType type);

}  // namespace upc2c
