// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/data/type_texts.hpp"

#include <algorithm>
#include <utility>

#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/type/compat.hpp"
#include "tools/upc2c/type/layout.hpp"
#include "tools/upc2c/type/print.hpp"

namespace upc2c {

std::string TypeTexts::spell(QualType type, std::string_view name) {
  if (type.is_shared()) type = lower_.types.unqualify(type, kShared | kStrict | kRelaxed);
  need_typedefs(type);
  return to_c(type, name);
}

std::string TypeTexts::type_name(const TypeName* node) {
  if (node->type().is_shared() || lower_.moved_statics.is_elsewhere(*node)) return spell(node->type());
  return lower_.declarators.single(*node->specifiers(), *node->declarator());
}

std::string TypeTexts::pointer_to_shared(QualType pointee) {
  std::string name = pts_typedef(pointee);
  if (typedefs_.insert(name).second)
    pending_ += "typedef " + std::string(pts_runtime_type(pointee)) + " " + name + "; ";
  return name;
}

std::string TypeTexts::drain_typedefs() { return std::exchange(pending_, {}); }

void TypeTexts::need_typedefs(QualType type) {
  for (;;) {
    switch (type.kind()) {
      case TypeKind::kPointer:
        if (type.is_pointer_to_shared()) {
          pointer_to_shared(type->inner);
          return;
        }
        break;
      case TypeKind::kFunction:
        for (const QualType& parameter : type->parameters) need_typedefs(parameter);
        break;
      case TypeKind::kArray:
        break;
      default:
        return;
    }
    type = type->inner;
  }
}

void TypeTexts::assert_size(QualType type) {
  type = lower_.types.unqualify(type.ultimate_element(), 0xffff);
  // Sizes of other types are those of the ABI.
  if (!type.is_record() || lower_.moved_statics.is_local(*type->record)) return;
  if (std::find(asserted_.begin(), asserted_.end(), type) == asserted_.end()) asserted_.push_back(type);
}

void TypeTexts::assert_sizes_in(const Node* expression) {
  if (expression == nullptr) return;
  if (const auto* query = cast_if<SizeQuery>(expression)) {
    if (const auto* name = cast_if<TypeName>(query->operand())) {
      // One that is defined here is not in the output.
      const auto* spec = cast_if<RecordSpec>(name->specifiers()->spec);
      if (spec == nullptr || !spec->defined) assert_size(name->type());
    } else {
      assert_size(as<Expr>(query->operand())->type);
    }
    return;
  }
  for (const Node* child : expression->children()) assert_sizes_in(child);
}

std::string TypeTexts::assertions() {
  std::string out;
  for (const QualType& type : asserted_) {
    const auto size = size_of(type);
    if (!size || size->threads) continue;
    const std::string text = spell(type);
    out += "_Static_assert(sizeof(" + text + ") == " + std::to_string(size->factor) + ", \"size of " + text +
           "\");\n";
  }
  return out;
}

std::string integer_text(__int128 value, QualType type) {
  const unsigned bits = type.is_integer() ? width_of(type) : 64;
  const bool is_unsigned_type =
      type.is(TypeKind::kEnum) ? value > INT64_MAX : type.is_integer() && is_unsigned(type, Target{});
  if (bits > 64 && (value > static_cast<__int128>(UINT64_MAX) || value < INT64_MIN)) {
    const auto high = static_cast<unsigned long long>(static_cast<unsigned __int128>(value) >> 64);
    const auto low = static_cast<unsigned long long>(value);
    return "((" + std::string(is_unsigned_type ? "unsigned " : "") + "__int128)((unsigned __int128)" +
           std::to_string(high) + "ULL << 64 | " + std::to_string(low) + "ULL))";
  }
  if (is_unsigned_type)
    return std::to_string(static_cast<unsigned long long>(value)) + (bits > 32 ? "UL" : "U");
  if (value == INT64_MIN) return "(-9223372036854775807L - 1)";
  const auto number = static_cast<long long>(value);
  if (bits <= 32 && number == INT32_MIN) return "(-2147483647 - 1)";
  std::string text = std::to_string(number) + (bits > 32 ? "L" : "");
  return number < 0 ? "(" + text + ")" : text;
}

}  // namespace upc2c
