// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/data/sizes.hpp"

#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

QualType type_of(const Node* operand) {
  const auto* name = cast_if<TypeName>(operand);
  return name != nullptr ? name->type() : static_cast<const Expr*>(operand)->type;
}

// Whether the type can be spelled: a variable length array cannot, nor can a type that is not known.
bool can_spell(QualType type) {
  for (; type.is_array(); type = type->inner)
    if (type->bound != Bound::kExtent) return false;
  return !type.is_unknown();
}

// Elements in the blocks that a thread has of so many, when THREADS is not known: of a row of a shared array.
std::string blocks_of_a_thread(Extent count, std::int64_t block) {
  const std::int64_t blocks = block == 0 ? 0 : (count.factor + block - 1) / block;
  return "((" + std::to_string(blocks) + " + (size_t)upcr_threads() - 1) / upcr_threads() * " +
         std::to_string(block);
}

}  // namespace

std::string Sizes::of(QualType type) { return "sizeof(" + lower_.type_texts.spell(type.unqualified()) + ")"; }

std::string Sizes::query(const SizeQuery* query) {
  const QualType type = type_of(query->operand());
  const QualType element = type.ultimate_element();
  if (!type.is_shared()) {
    // What names nothing shared is the C compiler's, which knows more.
    if (!can_spell(type) || query->operand()->is(NodeKind::kTypeName)) return lower_.splice.spliced(query);
    return (query->op == Tok::kAlignof ? "_Alignof(" : "sizeof(") + lower_.type_texts.spell(type) + ")";
  }
  switch (query->op) {
    case Tok::kAlignof:
      return "_Alignof(" + lower_.type_texts.spell(element.unqualified()) + ")";
    case Tok::kUpcBlocksizeof:
      return "((size_t)" + std::to_string(element.block) + ")";
    case Tok::kUpcElemsizeof:
      return of(element);
    case Tok::kUpcLocalsizeof: {
      const auto bytes = local_size_of(type, lower_.options.threads);
      const auto size = size_of(element);
      if (!size || size->factor == 0) return "((size_t)0)";
      if (!bytes)
        return blocks_of_a_thread(element_count(type).value_or(Extent{}), element.block) + " * " +
               of(element) + ")";
      return "(" + std::to_string(*bytes / size->factor) + " * " + of(element) + ")";
    }
    default: {
      const Extent count = element_count(type).value_or(Extent{});
      if (count == Extent{1, false}) return of(element);
      std::string factor = std::to_string(count.factor);
      if (count.threads) factor += " * (size_t)upcr_threads()";
      return "(" + factor + " * " + of(element) + ")";
    }
  }
}

}  // namespace upc2c
