// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/type/print.hpp"

#include <array>
#include <cctype>

namespace upc2c {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(TypeKind::kDecimal128) + 1> kBasicNames = {
    "<unknown>",   "void",
    "_Bool",       "char",
    "signed char", "unsigned char",
    "short",       "unsigned short",
    "int",         "unsigned int",
    "long",        "unsigned long",
    "long long",   "unsigned long long",
    "__int128",    "unsigned __int128",
    "_Float16",    "__bf16",
    "float",       "_Float32",
    "double",      "_Float64",
    "_Float32x",   "long double",
    "_Float64x",   "_Float128",
    "_Decimal32",  "_Decimal64",
    "_Decimal128",
};

std::string number(std::int64_t value) { return std::to_string(value); }

// Prints declarators from the name outwards: `inner` is what has been printed, the type is what remains to be
// said.
class Printer {
 public:
  explicit Printer(bool upc) : upc_(upc) {}

  std::string declare(QualType type, std::string inner) const {
    switch (type.kind()) {
      case TypeKind::kPointer:
        return pointer(type, inner);
      case TypeKind::kArray: {
        if (needs_parentheses(inner)) inner = "(" + inner + ")";
        return declare(type->inner, inner + "[" + bound(*type.type) + "]");
      }
      case TypeKind::kFunction: {
        if (needs_parentheses(inner)) inner = "(" + inner + ")";
        return declare(type->inner, inner + parameters(*type.type));
      }
      default: {
        const std::string base = qualifiers(type) + name_of(type);
        return inner.empty() ? base : base + " " + inner;
      }
    }
  }

 private:
  static bool needs_parentheses(const std::string& inner) { return !inner.empty() && inner[0] == '*'; }

  std::string pointer(QualType type, const std::string& inner) const {
    if (!upc_ && type.is_pointer_to_shared()) {
      // As an integer or a structure it cannot be restrict.
      QualType pointer = type;
      pointer.quals &= static_cast<std::uint16_t>(~kRestrict);
      const std::string base = qualifiers(pointer) + pts_typedef(type->inner);
      return inner.empty() ? base : base + " " + inner;
    }
    std::string quals = qualifiers(type);
    if (!quals.empty() && inner.empty()) quals.pop_back();
    return declare(type->inner, "*" + quals + inner);
  }

  std::string bound(const Type& type) const {
    switch (type.bound) {
      case Bound::kIncomplete:
        return "";
      case Bound::kStar:
        return "*";
      case Bound::kVariable:
        return "*";
      case Bound::kExtent:
        break;
    }
    if (!type.extent.threads) return number(type.extent.factor);
    if (!upc_) return number(type.extent.factor) + " * upcr_threads()";
    return type.extent.factor == 1 ? "THREADS" : number(type.extent.factor) + "*THREADS";
  }

  std::string parameters(const Type& type) const {
    if (!type.prototyped) return "()";
    std::string out;
    for (const QualType& p : type.parameters) {
      if (!out.empty()) out += ", ";
      out += declare(p, {});
    }
    if (type.variadic) out += out.empty() ? "..." : ", ...";
    return "(" + (out.empty() ? "void" : out) + ")";
  }

  // With a blank behind, if any.
  std::string qualifiers(QualType type) const {
    std::string out;
    const auto add = [&](Qual q, std::string_view word) {
      if (!type.has(q)) return;
      out += word;
      out += ' ';
    };
    if (upc_) {
      add(kStrict, "strict");
      add(kRelaxed, "relaxed");
      if (!type.has(kLockType)) add(kShared, "shared");
      if (type.has(kShared) && type.has(kExplicitLayout))
        out += type.block == kStarBlock ? "[*] " : type.block == 0 ? "[] " : "[" + number(type.block) + "] ";
    }
    add(kConst, "const");
    add(kVolatile, "volatile");
    add(kRestrict, "restrict");
    add(kAtomic, "_Atomic");
    return out;
  }

  std::string name_of(QualType type) const {
    if (upc_ && type.has(kLockType)) return "upc_lock_t";
    switch (type.kind()) {
      case TypeKind::kRecord:
        return tagged(type->record->is_union ? "union " : "struct ", type->record->tag,
                      type->record->typedef_name);
      case TypeKind::kEnum:
        if (!upc_ && type->enumeration->tag.empty() && type->enumeration->typedef_name.empty())
          return std::string(kBasicNames[static_cast<std::size_t>(type->enumeration->underlying)]);
        return tagged("enum ", type->enumeration->tag, type->enumeration->typedef_name);
      case TypeKind::kComplex:
        return "_Complex " + name_of(type->inner);
      case TypeKind::kVector:
        return name_of(type->inner) + " __attribute__((vector_size(" + number(type->extent.factor) +
               " * sizeof(" + name_of(type->inner) + "))))";
      default:
        return std::string(kBasicNames[static_cast<std::size_t>(type.kind())]);
    }
  }

  static std::string tagged(std::string_view keyword, std::string_view tag, std::string_view typedef_name) {
    if (!tag.empty()) return std::string(keyword) + std::string(tag);
    if (!typedef_name.empty()) return std::string(typedef_name);
    return std::string(keyword) + "<unnamed>";
  }

  bool upc_;
};

// Letters of a type's name for use in an identifier.
std::string identifier_of(QualType type) {
  std::string text = to_upc(type.unqualified());
  for (const std::string_view keyword : {"struct ", "union ", "enum "})
    if (text.starts_with(keyword)) text.erase(0, keyword.size());
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
      out += c;
    else if (c == '*')
      out += 'p';
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out.substr(0, 64);
}

}  // namespace

std::string to_upc(QualType type, std::string_view name) {
  return Printer(true).declare(type, std::string(name));
}
std::string to_c(QualType type, std::string_view name) {
  return Printer(false).declare(type, std::string(name));
}

std::string pts_typedef(QualType pointee) {
  const QualType element = pointee.ultimate_element();
  switch (pts_kind(pointee)) {
    case PtsKind::kGeneric:
      return "upc_pG";
    case PtsKind::kIndefinite:
      return "upc_pI_" + identifier_of(element);
    case PtsKind::kCyclic:
      return "upc_p1_" + identifier_of(element);
    case PtsKind::kBlocked:
      return "upc_p" + number(element.block) + "_" + identifier_of(element);
  }
  return {};
}

std::string_view pts_runtime_type(QualType pointee) {
  return is_phaseless(pts_kind(pointee)) ? "upcr_pshared_ptr_t" : "upcr_shared_ptr_t";
}

}  // namespace upc2c
