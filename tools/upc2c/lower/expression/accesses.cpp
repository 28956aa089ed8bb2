// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/expression/accesses.hpp"

#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

// A value that a register of the runtime interface holds.
bool is_word(QualType type) {
  if (type.is_private_pointer()) return true;
  return type.is_integer() && !type.is(TypeKind::kInt128) && !type.is(TypeKind::kUInt128);
}

std::string_view float_suffix(QualType type) {
  if (type.is(TypeKind::kFloat)) return "_floatval";
  return type.is(TypeKind::kDouble) ? "_doubleval" : "";
}

std::string_view mode_suffix(AccessMode mode) { return mode == AccessMode::kStrict ? "_strict" : ""; }

}  // namespace

AccessMode Accesses::mode_of(const Expr* lvalue) {
  lvalue = stripped(lvalue);
  if (lvalue->mode != AccessMode::kNone) return lvalue->mode;
  return lvalue->type.has(kStrict) ? AccessMode::kStrict : AccessMode::kRelaxed;
}

bool Accesses::misaligned(const Address& address, QualType type) { return align_of(type) > address.align; }

std::string Accesses::function(std::string_view verb, const Address& address, std::string_view suffix,
                               AccessMode mode) {
  std::string name = "upcr_";
  for (const std::string_view part : {verb, address.kind(), suffix, mode_suffix(mode)}) name += part;
  return name;
}

std::string Accesses::specifier(QualType type) {
  const std::string text = lower_.type_texts.spell(type.unqualified());
  // A name does not follow the text of a pointer to a function or to an array.
  return text.find_first_of("([") == std::string::npos || type.is(TypeKind::kVector)
             ? text
             : "__typeof__(" + text + ")";
}

std::string Accesses::bytes(std::string_view verb, const Address& address, QualType type, AccessMode mode,
                            const std::string& object) {
  std::string name = "upc2c_" + std::string(verb) + "_bytes";
  name += mode_suffix(mode);
  const std::string pointer =
      address.phased ? call("upcr_shared_to_pshared", {address.pointer}) : address.pointer;
  const std::string size = lower_.sizes.of(type);
  return verb == "get" ? call(name, {"&" + object, pointer, address.offset, size})
                       : call(name, {pointer, address.offset, "&" + object, size});
}

std::string Accesses::get(const Expr* lvalue) {
  const Expr* object = stripped(lvalue);
  if (std::string value = lower_.private_runs.value(object); !value.empty()) return value;
  if (std::string value = lower_.repeated.value(object); !value.empty()) return value;
  if (std::string value = lower_.block_reads.value(object); !value.empty()) return value;
  const auto read = [&] { return get(lower_.addresses.of(object), object->type, mode_of(object)); };
  if (std::string value = lower_.reads_once.value(object, read); !value.empty()) return value;
  if (object->category == Category::kBitField)
    return lower_.bit_fields.get(*as<MemberExpr>(object), mode_of(object));
  return read();
}

std::string Accesses::get(const Address& address, QualType type, AccessMode mode) {
  type = type.unqualified();
  if (misaligned(address, type)) {
    const std::string value = lower_.splice.temporary("v");
    return "({ " + specifier(type) + " " + value + "; " + bytes("get", address, type, mode, value) + "; " +
           value + "; })";
  }
  if (is_word(type)) {
    const std::string value = call(function("get", address, "_val", mode),
                                   {address.pointer, address.offset, lower_.sizes.of(type)});
    return "((" + lower_.type_texts.spell(type) + ")" + (type.is_pointer() ? "(uintptr_t)" : "") + value +
           ")";
  }
  if (const std::string_view suffix = float_suffix(type); !suffix.empty())
    return call(function("get", address, suffix, mode), {address.pointer, address.offset});
  return call("UPC2C_GET", {specifier(type), std::string(address.kind()) + std::string(mode_suffix(mode)),
                            address.pointer, address.offset});
}

std::string Accesses::put(const Address& address, QualType type, AccessMode mode, const std::string& value,
                          bool used) {
  type = type.unqualified();
  if (misaligned(address, type)) {
    const std::string object = lower_.splice.temporary("v");
    return "({ " + specifier(type) + " " + object + " = " + value + "; " +
           bytes("put", address, type, mode, object) + ";" + (used ? " " + object + ";" : "") + " })";
  }
  if (!used && is_word(type))
    return call(function("put", address, "_val", mode),
                {address.pointer, address.offset,
                 "(upcr_register_value_t)" + std::string(type.is_pointer() ? "(uintptr_t)" : "") + "(" +
                     lower_.type_texts.spell(type) + ")" + grouped(value),
                 lower_.sizes.of(type)});
  if (const std::string_view suffix = float_suffix(type); !used && !suffix.empty())
    return call(function("put", address, suffix, mode), {address.pointer, address.offset, value});
  const std::string stored =
      call("UPC2C_PUT", {specifier(type), std::string(address.kind()) + std::string(mode_suffix(mode)),
                         address.pointer, address.offset, value});
  return used ? stored : "(void)" + stored;
}

std::string Accesses::put_object(const Address& address, QualType type, AccessMode mode,
                                 const std::string& object) {
  return call(function("put", address, "", mode),
              {address.pointer, address.offset, "&" + grouped(object), lower_.sizes.of(type.unqualified())});
}

std::string Accesses::get_object(const Address& address, QualType type, AccessMode mode,
                                 const std::string& object) {
  return call(function("get", address, "", mode),
              {"&" + grouped(object), address.pointer, address.offset, lower_.sizes.of(type.unqualified())});
}

std::string Accesses::bind(Address& address) {
  std::string out;
  if (!address.proxy) {
    const std::string name = lower_.splice.temporary("p");
    out += "const " + std::string(address.phased ? "upcr_shared_ptr_t " : "upcr_pshared_ptr_t ") + name +
           " = " + address.pointer + "; ";
    address.pointer = name;
    address.proxy = true;
  }
  if (address.offset_varies) {
    const std::string name = lower_.splice.temporary("o");
    out += "const ptrdiff_t " + name + " = " + address.offset + "; ";
    address.offset = name;
    address.offset_varies = false;
  }
  return out;
}

}  // namespace upc2c
