// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/scopes.hpp"

namespace upc2c {

Symbol* Scopes::find_here(NameId name) const {
  return name < symbols_.size() && symbols_[name].depth == depth_ ? symbols_[name].what : nullptr;
}

QualType Scopes::find_tag_here(NameId tag) const {
  return tag < tags_.size() && tags_[tag].depth == depth_ ? tags_[tag].what : QualType{};
}

void Scopes::show(Symbol* symbol) {
  if (symbol->name >= symbols_.size()) symbols_.resize(symbol->name * 2 + 64);
  Entry<Symbol*>& entry = symbols_[symbol->name];
  if (depth_ > 0) undo_.push_back({symbol->name, entry});
  entry = {symbol, depth_};
  if (depth_ > 0) return;
  if (symbol->name >= file_.size()) file_.resize(symbols_.size());
  file_[symbol->name] = symbol;
}

Symbol* Scopes::declare(NameId name, std::string_view text) {
  Symbol& symbol = all_.emplace_back();
  symbol.name = name;
  symbol.text = text;
  symbol.file_scope = depth_ == 0;
  show(&symbol);
  return &symbol;
}

void Scopes::declare_tag(NameId tag, QualType type) {
  if (tag >= tags_.size()) tags_.resize(tag * 2 + 64);
  if (depth_ > 0) undo_tags_.push_back({tag, tags_[tag]});
  tags_[tag] = {type, depth_};
}

void Scopes::leave(std::size_t symbols, std::size_t tags) {
  for (; undo_.size() > symbols; undo_.pop_back()) symbols_[undo_.back().name] = undo_.back().was;
  for (; undo_tags_.size() > tags; undo_tags_.pop_back())
    tags_[undo_tags_.back().name] = undo_tags_.back().was;
  depth_--;
}

}  // namespace upc2c
