// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/type/layout.hpp"

#include <algorithm>

namespace upc2c {
namespace {

// Size and alignment are the same for these kinds.
std::uint32_t basic_size(TypeKind kind) {
  switch (kind) {
    case TypeKind::kVoid:
    case TypeKind::kBool:
    case TypeKind::kChar:
    case TypeKind::kSChar:
    case TypeKind::kUChar:
    case TypeKind::kFunction:
      return 1;
    case TypeKind::kShort:
    case TypeKind::kUShort:
    case TypeKind::kFloat16:
    case TypeKind::kBFloat16:
      return 2;
    case TypeKind::kInt:
    case TypeKind::kUInt:
    case TypeKind::kFloat:
    case TypeKind::kFloat32:
    case TypeKind::kDecimal32:
      return 4;
    case TypeKind::kLong:
    case TypeKind::kULong:
    case TypeKind::kLongLong:
    case TypeKind::kULongLong:
    case TypeKind::kDouble:
    case TypeKind::kFloat64:
    case TypeKind::kFloat32x:
    case TypeKind::kDecimal64:
      return 8;
    case TypeKind::kInt128:
    case TypeKind::kUInt128:
    case TypeKind::kLongDouble:
    case TypeKind::kFloat64x:
    case TypeKind::kFloat128:
    case TypeKind::kDecimal128:
      return 16;
    default:
      return 0;
  }
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) {
  return to == 0 ? value : (value + to - 1) / to * to;
}

// The record's state while fields are placed.
class RecordLayout {
 public:
  explicit RecordLayout(Record& record) : record_(record) {}

  void add(Field& field) {
    const std::optional<Extent> size = field_size(field);
    if (!size || size->threads) {
      record_.unknown_layout = true;
      return;
    }
    if (field.is_bit_field())
      add_bit_field(field, static_cast<std::uint64_t>(size->factor) * 8);
    else
      add_plain(field, static_cast<std::uint64_t>(size->factor) * 8);
    record_.has_pointer_to_shared |= mentions_shared(field.type);
    const QualType element = field.type.ultimate_element();
    record_.has_const_member |=
        element.has(kConst) || (element.is_record() && element->record->has_const_member);
  }

  void finish() {
    if (record_.min_align > align_) align_ = record_.min_align;
    record_.align = align_;
    record_.size = round_up(round_up(end_, 8) / 8, align_);
    record_.complete = true;
  }

 private:
  // An array without bound at the end has no size here.
  std::optional<Extent> field_size(const Field& field) {
    if (field.type.is_array() && field.type->bound == Bound::kIncomplete) {
      record_.flexible = true;
      return size_of(field.type->inner) ? std::optional<Extent>(Extent{0, false}) : std::nullopt;
    }
    return size_of(field.type);
  }

  bool packed(const Field& field) const { return record_.packed || field.packed; }

  std::uint32_t alignment(const Field& field) const {
    std::uint32_t align = packed(field) ? 1 : field.type_align != 0 ? field.type_align : align_of(field.type);
    align = std::max(align, field.min_align);
    return record_.pack != 0 ? std::min(align, record_.pack) : align;
  }

  void add_plain(Field& field, std::uint64_t bits) {
    const std::uint32_t align = alignment(field);
    place(field, record_.is_union ? 0 : round_up(end_, std::uint64_t{align} * 8), bits);
    align_ = std::max(align_, align);
  }

  // The rules of the ABI: a field does not cross a boundary of its type's size unless packed; width 0 goes to
  // the next boundary; fields without name do not raise the alignment of the record.
  void add_bit_field(Field& field, std::uint64_t type_bits) {
    const auto width = static_cast<std::uint64_t>(field.bit_width);
    std::uint64_t at = record_.is_union ? 0 : end_;
    if (width == 0) {
      place(field, round_up(at, std::uint64_t{std::max(align_of(field.type), field.min_align)} * 8), 0);
      return;
    }
    std::uint64_t align = std::uint64_t{align_of(field.type)} * 8;
    if (record_.pack != 0) align = std::min(align, std::uint64_t{record_.pack} * 8);
    if (field.min_align != 0) at = round_up(at, std::uint64_t{field.min_align} * 8);
    if (!packed(field) && (at % align + width + align - 1) / align > type_bits / align)
      at = round_up(at, align);
    place(field, at, width);
    if (field.name == 0) return;
    align_ = std::max(align_, packed(field) ? 1u : static_cast<std::uint32_t>(align / 8));
    align_ = std::max(align_, field.min_align);
  }

  void place(Field& field, std::uint64_t at, std::uint64_t bits) {
    field.bit_offset = at;
    end_ = std::max(end_, at + bits);
  }

  Record& record_;
  std::uint64_t end_ = 0;  // in bits
  std::uint32_t align_ = 1;
};

bool find(const Record& record, NameId name, Member& out) {
  for (const Field& field : record.fields) {
    const bool anonymous = field.name == 0 && field.type.is_record();
    if (field.name != name && !anonymous) continue;
    out.path.push_back(&field);
    if (field.name == name || find(*field.type->record, name, out)) {
      out.bit_offset += field.bit_offset;
      return true;
    }
    out.path.pop_back();
  }
  return false;
}

}  // namespace

std::optional<Extent> size_of(QualType type) {
  switch (type.kind()) {
    case TypeKind::kArray: {
      const std::optional<Extent> element = size_of(type->inner);
      if (!element || type->bound != Bound::kExtent || (element->threads && type->extent.threads))
        return std::nullopt;
      Extent size{0, element->threads || type->extent.threads};
      if (__builtin_mul_overflow(element->factor, type->extent.factor, &size.factor)) return std::nullopt;
      return size;
    }
    case TypeKind::kVector:
    case TypeKind::kComplex: {
      const std::int64_t count = type.is(TypeKind::kComplex) ? 2 : type->extent.factor;
      Extent size = size_of(type->inner).value_or(Extent{});
      if (size.factor == 0 || __builtin_mul_overflow(size.factor, count, &size.factor)) return std::nullopt;
      return size;
    }
    case TypeKind::kEnum:
      return type->enumeration->complete
                 ? std::optional<Extent>(Extent{basic_size(type->enumeration->underlying), false})
                 : std::nullopt;
    case TypeKind::kRecord:
      if (!type->record->complete || type->record->unknown_layout) return std::nullopt;
      return Extent{static_cast<std::int64_t>(type->record->size), false};
    case TypeKind::kPointer:
      return type->extent;
    default: {
      const std::uint32_t size = basic_size(type.kind());
      return size == 0 ? std::nullopt : std::optional<Extent>(Extent{size, false});
    }
  }
}

std::uint32_t align_of(QualType type) {
  switch (type.kind()) {
    case TypeKind::kArray:
    case TypeKind::kComplex:
      return align_of(type->inner);
    case TypeKind::kVector: {
      const std::optional<Extent> size = size_of(type);
      return size ? static_cast<std::uint32_t>(size->factor) : 0;
    }
    case TypeKind::kPointer:
      return 8;
    case TypeKind::kEnum:
      return basic_size(type->enumeration->underlying);
    case TypeKind::kRecord:
      return type->record->complete ? type->record->align : 0;
    default:
      return basic_size(type.kind());
  }
}

std::optional<Extent> element_count(QualType type) {
  Extent count{1, false};
  for (; type.is_array(); type = type->inner) {
    if (type->bound != Bound::kExtent || (count.threads && type->extent.threads)) return std::nullopt;
    if (__builtin_mul_overflow(count.factor, type->extent.factor, &count.factor)) return std::nullopt;
    count.threads |= type->extent.threads;
  }
  return count;
}

void lay_out(Record& record, const Types&) {
  RecordLayout layout(record);
  for (Field& field : record.fields) layout.add(field);
  layout.finish();
}

std::optional<Member> find_member(const Record& record, NameId name) {
  Member member;
  if (name == 0 || !find(record, name, member)) return std::nullopt;
  return member;
}

std::optional<std::int64_t> star_block(QualType type, std::int64_t threads) {
  const std::optional<Extent> count = element_count(type);
  if (!count) return std::nullopt;
  if (!type.is_array()) return 1;
  if (threads == 0)
    return count->threads ? std::optional<std::int64_t>(std::max<std::int64_t>(count->factor, 1))
                          : std::nullopt;
  return std::max<std::int64_t>(ceil_div(count->factor, threads), 1);
}

std::optional<std::int64_t> local_size_of(QualType type, std::int64_t threads) {
  const QualType element = type.ultimate_element();
  const std::optional<Extent> count = element_count(type), size = size_of(element);
  if (!count || !size || size->threads) return std::nullopt;
  const std::int64_t block = element.block;
  std::int64_t elements = count->factor;
  if (type.is_array() && block != 0) {
    if (!count->threads && threads == 0) return std::nullopt;
    elements = count->threads ? ceil_div(elements, block) * block
                              : ceil_div(ceil_div(elements, block), threads) * block;
  }
  std::int64_t bytes;
  return __builtin_mul_overflow(elements, size->factor, &bytes) ? std::nullopt
                                                                : std::optional<std::int64_t>(bytes);
}

}  // namespace upc2c
