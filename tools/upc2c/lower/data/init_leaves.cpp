// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/data/init_leaves.hpp"

#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

// The rules of check/initializers.cpp, on an initialiser that has passed them.
class Walk {
 public:
  Walk(const Types& types, std::vector<InitLeaf>& out) : types_(types), out_(out) {}

  void object(const Expr* init, QualType type) {
    if (init->is(NodeKind::kInitList) && string_initializer(init, type) == nullptr)
      braced(init, type);
    else
      out_.push_back({init, type, path_});
  }

 private:
  // An aggregate whose parts are being given, and the part that is next.
  struct Level {
    QualType type;
    std::int64_t next = 0;
    std::int64_t first = 0;  // of a range that ends at `next`
    bool designated = false;
  };

  QualType current(const Level& level) const {
    if (level.type.is_array()) return level.type->inner;
    if (!level.type.is_record()) return level.type.is_scalar() && !is_complex(level) ? level.type : unknown();
    const auto& fields = level.type->record->fields;
    if (!level.type->record->complete || level.next >= static_cast<std::int64_t>(fields.size()))
      return unknown();
    return fields[static_cast<std::size_t>(level.next)].type;
  }

  static bool is_complex(const Level& level) { return level.type.is(TypeKind::kComplex); }
  QualType unknown() const { return types_.unknown(); }

  bool full(const Level& level) const {
    if (level.type.is_array())
      return level.type->bound == Bound::kExtent && !level.type->extent.threads &&
             level.next >= level.type->extent.factor;
    if (level.type.is_record() && level.type->record->complete)
      return level.next >= static_cast<std::int64_t>(level.type->record->fields.size()) ||
             (level.type->record->is_union && level.next > 0 && !level.designated);
    return level.next > 0 && level.type.is_scalar() && !is_complex(level);
  }

  void skip_unnamed(Level& level) const {
    if (!level.type.is_record() || !level.type->record->complete) return;
    const auto& fields = level.type->record->fields;
    const auto unnamed = [&](std::int64_t i) {
      const Field& field = fields[static_cast<std::size_t>(i)];
      return field.is_bit_field() && field.name == 0;
    };
    while (level.next < static_cast<std::int64_t>(fields.size()) && unnamed(level.next)) level.next++;
    level.first = level.next;
  }

  void braced(const Expr* list, QualType type) {
    std::vector<Level> levels = {{type, 0, 0}};
    for (const Node* node : list->children()) {
      const auto* value = as<Expr>(node);
      if (const auto* designated = cast_if<DesignatedInit>(value)) {
        levels.resize(1);
        value = designated->value_expr();
        if (!designate(*designated, levels)) continue;
      }
      skip_unnamed(levels.back());
      if (full(levels.back())) continue;
      item(value, levels);
      advance(levels);
    }
  }

  static void advance(std::vector<Level>& levels) {
    // Behind a range the last element goes on.
    for (Level& level : levels) {
      level.first = level.next;
      level.designated = false;
    }
    levels.back().first = ++levels.back().next;
  }

  void item(const Expr* value, std::vector<Level>& levels) {
    QualType type = current(levels.back());
    if (!value->is(NodeKind::kInitList)) {
      while ((type.is_array() || type.is_record()) && string_initializer(value, type) == nullptr) {
        if (type.is_record() && (value->target.is_record() || value->target.is_unknown() ||
                                 !type->record->complete || type->record->fields.empty()))
          break;
        if (levels.size() > 64) break;
        levels.push_back({type, 0, 0});
        skip_unnamed(levels.back());
        type = current(levels.back());
      }
    }
    const std::size_t depth = path_.size();
    for (const Level& level : levels) {
      if (level.type.is_array())
        path_.push_back({nullptr, level.first, level.next});
      else if (level.type.is_record() && level.type->record->complete)
        path_.push_back({&level.type->record->fields[static_cast<std::size_t>(level.next)], 0, 0});
    }
    object(value, type);
    path_.resize(depth);
    while (levels.size() > 1) {
      Level after = levels.back();
      after.next++;
      after.designated = false;
      skip_unnamed(after);
      if (!full(after)) break;
      levels.pop_back();
    }
  }

  static std::int64_t index_of(const Expr* expr) {
    return expr->value != nullptr ? static_cast<std::int64_t>(expr->value->integer) : 0;
  }

  bool designate(const DesignatedInit& item, std::vector<Level>& levels) const {
    bool first = true;
    for (const Node* node : item.designators()) {
      if (!first) levels.push_back({current(levels.back()), 0, 0});
      first = false;
      Level& level = levels.back();
      if (const auto* range = cast_if<RangeDesignator>(node)) {
        if (!level.type.is_array()) return false;
        level.first = index_of(range->first());
        level.next = range->last() != nullptr ? index_of(range->last()) : level.first;
        continue;
      }
      if (!level.type.is_record() || !level.type->record->complete) return false;
      const auto found = find_member(*level.type->record, as<FieldDesignator>(node)->name);
      if (!found) return false;
      for (std::size_t i = 0; i < found->path.size(); i++) {
        if (i > 0) levels.push_back({current(levels.back()), 0, 0});
        levels.back().next = found->path[i] - levels.back().type->record->fields.data();
        levels.back().designated = true;
      }
    }
    return true;
  }

  const Types& types_;
  std::vector<InitLeaf>& out_;
  std::vector<InitStep> path_;
};

}  // namespace

std::vector<InitLeaf> init_leaves(const Expr* initializer, QualType type, const Types& types) {
  std::vector<InitLeaf> out;
  Walk(types, out).object(initializer, type);
  return out;
}

const Expr* string_initializer(const Expr* value, QualType type) {
  if (!type.is_array() || !type->inner.is_integer()) return nullptr;
  if (value->is(NodeKind::kInitList)) {
    if (value->child_count != 1) return nullptr;
    value = value->expr(0);
  }
  while (const auto* paren = cast_if<ParenExpr>(value)) value = paren->inner();
  return value->is(NodeKind::kString) ? value : nullptr;
}

const Expr* scalar_in_braces(const Expr* initializer) {
  const auto* list = cast_if<InitList>(initializer);
  if (list == nullptr || !list->type.is_pointer_to_shared() || list->items().size() != 1) return nullptr;
  return as<Expr>(list->items()[0]);
}

}  // namespace upc2c
