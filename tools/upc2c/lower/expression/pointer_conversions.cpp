// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/expression/pointer_conversions.hpp"

#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

// Whether a position in blocks of one type is one in blocks of the other (UPC 1.3, 6.4.3).
bool same_layout(QualType a, QualType b) {
  const QualType one = a.ultimate_element(), other = b.ultimate_element();
  const auto size = size_of(one);
  return one.block == other.block && size && size == size_of(other);
}

}  // namespace

std::string PointerConversions::null(QualType pointer) {
  return "upcr_null" + std::string(kind_suffix(pointer));
}

std::string PointerConversions::truth(const std::string& text, QualType pointer) {
  return "(!" + call("upcr_isnull" + std::string(kind_suffix(pointer)), {text}) + ")";
}

std::string PointerConversions::between(const std::string& text, QualType from, QualType to) {
  const PtsKind a = pts_kind(from->inner), b = pts_kind(to->inner);
  if (is_phaseless(a)) return is_phaseless(b) ? text : call("upcr_pshared_to_shared", {text});
  if (is_phaseless(b)) return call("upcr_shared_to_pshared", {text});
  // To and from a generic pointer the phase is kept.
  if (a == PtsKind::kGeneric || b == PtsKind::kGeneric || same_layout(from->inner, to->inner)) return text;
  return call("upcr_shared_resetphase", {text});
}

std::string PointerConversions::convert(const std::string& text, QualType from, QualType to) {
  const bool to_pts = to.is_pointer_to_shared();
  if (!from.is_pointer_to_shared()) return text;
  if (to_pts) return between(text, from, to);
  if (to.is(TypeKind::kBool)) return truth(text, from);
  const std::string type = "((" + lower_.type_texts.spell(to.unqualified()) + ")";
  if (to.is_pointer())
    return type + call("upcr" + std::string(kind_suffix(from)) + "_to_local", {text}) + ")";
  if (to.is_integer()) return type + call("upcr_addrfield" + std::string(kind_suffix(from)), {text}) + ")";
  return text;
}

}  // namespace upc2c
