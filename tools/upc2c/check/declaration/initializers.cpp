// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/declaration/initializers.hpp"

#include <algorithm>

#include "tools/upc2c/check/check.hpp"
#include "tools/upc2c/type/compat.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {

void Initializers::check(Expr& init, Symbol& symbol) {
  const QualType type = list(init, symbol.type);
  // In the dynamic environment an initialiser does not complete a shared array: check_object reports its
  // bound.
  symbol.type = type;
}

QualType Initializers::list(Expr& init, QualType type) { return object(init, type); }

void Initializers::untyped(Expr& list) {
  for (Node* child : list.children())
    if (auto* expr = cast_if<Expr>(child);
        expr != nullptr && !expr->is(NodeKind::kFieldDesignator) && !expr->is(NodeKind::kRangeDesignator))
      c_.expressions.value(*expr);
}

bool Initializers::initializes_string(const Expr& value, QualType type) const {
  const Expr* inner = &value;
  while (const auto* paren = cast_if<ParenExpr>(inner)) inner = paren->inner();
  return inner->is(NodeKind::kString) && type.is_array() && type->inner.is_integer();
}

QualType Initializers::string_bound(const Expr& value, QualType type) {
  if (type->bound == Bound::kExtent && type.is_shared() && !type->extent.threads && value.type.is_array() &&
      value.type->extent.factor - 1 > type->extent.factor)
    c_.report(Diag::kIniCount, Mark(value.tokens), "the string is longer than %", {quoted(type)});
  if (type->bound != Bound::kIncomplete) return type;
  return c_.types.array_of(type->inner, Bound::kExtent,
                           value.type.is_array() ? value.type->extent : Extent{1, false});
}

QualType Initializers::object(Expr& init, QualType type) {
  if (init.is(NodeKind::kInitList)) {
    init.type = type;
    const auto items = init.children();
    if (items.size() == 1 && items[0]->is(NodeKind::kString) &&
        initializes_string(*as<Expr>(items[0]), type)) {
      c_.expressions.value(*as<Expr>(items[0]));
      return init.type = init.target = string_bound(*as<Expr>(items[0]), type);
    }
    return init.type = init.target = braced(init, type);
  }
  c_.expressions.value(init);
  if (initializes_string(init, type)) {
    init.target = type;
    return string_bound(init, type);
  }
  if (type.is_unknown()) return type;
  if (type.is_array() && type.is_shared() && !init.type.is_array() && !init.type.is_unknown())
    c_.report(Diag::kConversion, Mark(init.tokens), "an initialiser of % is a list in braces; this is %",
              {quoted(type), quoted(init.type)});
  if (type.is_array() && init.type.is_array() && type->bound == Bound::kIncomplete)
    return c_.types.array_of(type->inner, init.type->bound, init.type->extent);  // GNU: a compound literal
  c_.conversions.assign(init, type.is_array() ? type : type.unqualified(), Mark(init.tokens),
                        "an initialiser");
  return type;
}

QualType Initializers::current(const Level& level) const {
  if (level.type.is_array()) return level.type->inner;
  if (level.type.is_record() && level.type->record->complete) {
    const auto& fields = level.type->record->fields;
    if (level.next >= static_cast<std::int64_t>(fields.size())) return c_.types.unknown();
    return fields[static_cast<std::size_t>(level.next)].type;
  }
  return level.type.is_record() || level.type.is(TypeKind::kVector) || level.type.is(TypeKind::kComplex)
             ? c_.types.unknown()
             : level.type;
}

// Whether there is no further element. Unnamed bit-fields are skipped by advance().
bool Initializers::full(const Level& level) const {
  if (level.type.is_array())
    return level.type->bound == Bound::kExtent && !level.type->extent.threads &&
           level.next >= level.type->extent.factor;
  if (level.type.is_record() && level.type->record->complete)
    return level.next >= static_cast<std::int64_t>(level.type->record->fields.size());
  return level.next > 0 && !level.type.is(TypeKind::kVector) && !level.type.is_unknown() &&
         !level.type.is(TypeKind::kComplex);
}

void Initializers::advance(std::vector<Level>& levels) {
  step(levels.back());
  while (levels.size() > 1 && full(levels.back())) {
    levels.pop_back();
    step(levels.back());
  }
}

// The next element. A union has none, whichever of its members was initialised.
void Initializers::step(Level& level) {
  level.next++;
  if (level.type.is_record() && level.type->record->complete && level.type->record->is_union)
    level.next = static_cast<std::int64_t>(level.type->record->fields.size());
  level.highest = std::max(level.highest, level.next);
}

// Back to the list's own type; an element that was begun counts.
void Initializers::close(std::vector<Level>& levels) {
  Level& outer = levels.front();
  if (levels.size() > 1) step(outer);
  levels.resize(1);
}

QualType Initializers::braced(Expr& list, QualType type) {
  if (type.is_unknown()) {
    untyped(list);
    return type;
  }
  std::vector<Level> levels = {{type, 0, 0}};
  const auto skip_unnamed = [&](Level& level) {
    if (!level.type.is_record() || !level.type->record->complete) return;
    const auto& fields = level.type->record->fields;
    while (level.next < static_cast<std::int64_t>(fields.size()) &&
           fields[static_cast<std::size_t>(level.next)].is_bit_field() &&
           fields[static_cast<std::size_t>(level.next)].name == 0)
      level.next++;
  };
  for (Node* node : list.children()) {
    auto* value = as<Expr>(node);
    if (auto* designated = cast_if<DesignatedInit>(value)) {
      close(levels);
      const bool found = designate(*designated, levels);
      value = designated->value_expr();
      if (!found) {
        c_.expressions.value(*value);
        continue;
      }
    }
    skip_unnamed(levels.back());
    if (full(levels.back())) {
      if (type.is_shared() || mentions_shared(type))
        c_.report(Diag::kIniCount, Mark(value->tokens), "more values than the object has parts");
      c_.expressions.value(*value);
      continue;
    }
    item(*value, levels);
    advance(levels);
  }
  close(levels);
  if (!type.is_array() || type->bound != Bound::kIncomplete) return type;
  return c_.types.array_of(type->inner, Bound::kExtent, {levels.front().highest, false});
}

// One value: for the current element, or for the first scalar in it where braces are left out.
void Initializers::item(Expr& value, std::vector<Level>& levels) {
  QualType type = current(levels.back());
  if (value.is(NodeKind::kInitList)) {
    object(value, type);
    return;
  }
  c_.expressions.value(value);
  while (type.is_array() || type.is_record()) {
    if (initializes_string(value, type)) {
      value.target = type;
      return;
    }
    if (type.is_record() && (value.target.is_record() || value.target.is_unknown())) return;
    if (type.is_record() && (!type->record->complete || type->record->fields.empty())) return;
    if (levels.size() > 64) return;
    levels.push_back({type, 0, 0});
    type = current(levels.back());
  }
  if (!type.is_unknown())
    c_.conversions.assign(value, type.unqualified(), Mark(value.tokens), "an initialiser");
}

// Goes to the designated part: levels are then those from the list's type to the one with the part.
bool Initializers::designate(DesignatedInit& item, std::vector<Level>& levels) {
  bool first = true;
  for (Node* node : item.designators()) {
    if (!first) {
      const QualType inner = current(levels.back());
      levels.push_back({inner, 0, 0});
    }
    first = false;
    Level& level = levels.back();
    if (auto* range = cast_if<RangeDesignator>(node)) {
      c_.expressions.value(*range->first());
      c_.require_constant(*range->first(), "the index of a designator");
      if (range->last() != nullptr) {
        c_.expressions.value(*range->last());
        c_.require_constant(*range->last(), "the index of a designator");
      }
      const auto index = Constants::integer(range->last() != nullptr ? range->last() : range->first());
      if (!index || !level.type.is_array() || *index < 0 || *index > INT64_MAX / 2) return false;
      level.next = static_cast<std::int64_t>(*index);
      continue;
    }
    const auto* field = as<FieldDesignator>(node);
    if (!level.type.is_record() || !level.type->record->complete) return false;
    const auto found = find_member(*level.type->record, field->name);
    if (!found) {
      c_.report(Diag::kMember, Mark(node->tokens), "% has no member '%'",
                {quoted(level.type), c_.text(field->name)});
      return false;
    }
    // Through anonymous members.
    for (std::size_t i = 0; i < found->path.size(); i++) {
      if (i > 0) levels.push_back({current(levels.back()), 0, 0});
      levels.back().next = found->path[i] - levels.back().type->record->fields.data();
    }
  }
  return true;
}

}  // namespace upc2c
