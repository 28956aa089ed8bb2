// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/data/hidden_types.hpp"

#include <algorithm>

#include "tools/upc2c/ast/decl.hpp"
#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/ast/walk.hpp"

namespace upc2c {

void HiddenTypes::find(std::span<Node* const> declarations, const TokenStream& stream) {
  for (std::size_t i = 0; i < declarations.size(); i++)
    if (stream.token(declarations[i]->tokens.begin).origin == Origin::kUser)
      find_below(declarations[i], [&](const Node* node) {
        add(node, i);
        return false;
      });
  for (Enumeration* type : enumerations_) {
    const auto tagged = tags_.find(type->tag);
    const bool hidden =
        (tagged != tags_.end() && tagged->second.size() > 1) || is_ambiguous(type->typedef_name);
    if (type->of_block || hidden) type->tag = type->typedef_name = {};
  }
}

void HiddenTypes::add(const Node* node, std::size_t external) {
  if (const auto* declarator = cast_if<Declarator>(node);
      declarator != nullptr && declarator->symbol != nullptr)
    add_name(declarator->symbol->text, declarator->symbol);
  if (const auto* enumerator = cast_if<Enumerator>(node);
      enumerator != nullptr && enumerator->symbol != nullptr)
    add_name(enumerator->symbol->text, enumerator->symbol);
  if (const auto* record = cast_if<RecordSpec>(node); record != nullptr && record->type.is_record())
    add_tag(record->type->record->tag, {record->type->record, external, record->type->record->of_block});
  if (const auto* spec = cast_if<EnumSpec>(node); spec != nullptr && spec->type.is(TypeKind::kEnum)) {
    Enumeration* const type = spec->type->enumeration;
    add_tag(type->tag, {type, external, type->of_block});
    // One with attributes may be of another size than its constants need.
    if (spec->defined && spec->attributes.empty()) enumerations_.push_back(type);
  }
}

void HiddenTypes::add_name(std::string_view name, const void* what) {
  const auto [found, is_new] = names_.insert({name, {what}});
  if (!is_new && found->second.first != what) found->second.several = true;
}

void HiddenTypes::add_tag(std::string_view tag, const Tagged& tagged) {
  if (tag.empty()) return;
  std::vector<Tagged>& all = tags_[tag];
  if (std::none_of(all.begin(), all.end(), [&](const Tagged& other) { return other.type == tagged.type; }))
    all.push_back(tagged);
}

bool HiddenTypes::is_ambiguous(std::string_view name) const {
  const auto found = names_.find(name);
  return found != names_.end() && found->second.several;
}

bool HiddenTypes::hides(const Record& record) const {
  const auto found = tags_.find(record.tag);
  if (found == tags_.end() || !record.of_block || record.of_system) return false;
  const auto self = std::find_if(found->second.begin(), found->second.end(),
                                 [&](const Tagged& tagged) { return tagged.type == &record; });
  if (self == found->second.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [&](const Tagged& other) {
    return other.type != &record && (!other.of_block || other.external == self->external);
  });
}

}  // namespace upc2c
