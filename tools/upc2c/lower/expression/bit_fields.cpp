// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/expression/bit_fields.hpp"

#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/type/compat.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {

BitFields::Bytes BitFields::bytes(const MemberExpr& field, AccessMode mode, bool twice) {
  const Member& member = *field.member;
  const QualType record = (field.arrow ? field.base()->target->inner : field.base()->type).unqualified();
  const std::uint64_t first = member.bit_offset / 8;
  const std::uint64_t end =
      (member.bit_offset + static_cast<std::uint64_t>(member.field().bit_width) + 7) / 8;
  const std::uint64_t size = end - first;
  Address address = lower_.addresses.of(&field);
  const std::string object = lower_.splice.temporary("s");
  Bytes out;
  out.copy = lower_.type_texts.spell(record, object) + "; ";
  if (twice) out.copy += lower_.accesses.bind(address);
  const std::string at = std::to_string(first);
  const std::string offset = address.offset == "0" ? at
                             : first == 0          ? address.offset
                                                   : address.offset + " + " + at;
  const std::string copy = "(char *)&" + object + (first == 0 ? "" : " + " + at);
  const std::string strict = mode == AccessMode::kStrict ? "_strict" : "";
  // One access for what one access can read: a power of two bytes at a multiple of that.
  const bool word = (size & (size - 1)) == 0 && size <= 8;
  if (word && (first % size != 0 || size > address.align)) {
    if (address.phased) address.pointer = call("upcr_shared_to_pshared", {address.pointer});
    const std::string count = std::to_string(size);
    out.copy += call("upc2c_get_bytes" + strict, {copy, address.pointer, offset, count}) + "; ";
    out.store = call("upc2c_put_bytes" + strict, {address.pointer, offset, copy, count}) + "; ";
  } else {
    const std::string kind(address.kind());
    const std::string count = std::to_string(size);
    out.copy += call("upcr_get" + kind + strict, {copy, address.pointer, offset, count}) + "; ";
    out.store = call("upcr_put" + kind + strict, {address.pointer, offset, copy, count}) + "; ";
  }
  out.lvalue = object + "." + std::string(lower_.stream.text(field.name_token));
  out.promoted =
      lower_.type_texts.spell(promote(lower_.types, field.type.unqualified(), member.field().bit_width));
  return out;
}

std::string BitFields::get(const MemberExpr& field, AccessMode mode) {
  const Bytes parts = bytes(field, mode, false);
  return "((" + parts.promoted + ")({ " + parts.copy + parts.lvalue + "; }))";
}

std::string BitFields::update(const MemberExpr& field, AccessMode mode, const std::string& before,
                              const std::string& after, bool used, bool before_value) {
  const Bytes parts = bytes(field, mode, true);
  std::string out = "({ " + parts.copy;
  const std::string value = used && before_value ? lower_.splice.temporary("v") : "";
  if (!value.empty()) out += "const " + parts.promoted + " " + value + " = " + parts.lvalue + "; ";
  out += before + parts.lvalue + after + "; " + parts.store;
  if (!used) return out + "})";
  if (value.empty()) return "((" + parts.promoted + ")" + out + parts.lvalue + "; }))";
  return out + value + "; })";
}

}  // namespace upc2c
