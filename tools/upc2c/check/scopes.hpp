// SPDX-License-Identifier: BSD-3-Clause
// Scopes: what identifiers and tags stand for.
#pragma once
#include <deque>
#include <vector>

#include "tools/upc2c/ast/symbol.hpp"

namespace upc2c {

class Scopes {
 public:
  Scopes() = default;
  Scopes(const Scopes&) = delete;
  Scopes& operator=(const Scopes&) = delete;

  // The symbol that is visible, or null.
  Symbol* find(NameId name) const { return name < symbols_.size() ? symbols_[name].what : nullptr; }
  // The symbol that this scope itself declares, or null.
  Symbol* find_here(NameId name) const;
  // The symbol of file scope, also one that is hidden, or null.
  Symbol* find_at_file_scope(NameId name) const { return name < file_.size() ? file_[name] : nullptr; }
  // A new symbol, visible from here to the end of the scope.
  Symbol* declare(NameId name, std::string_view text);
  // Makes a symbol of another scope visible here: extern in a block.
  void show(Symbol* symbol);

  // The structure, union or enumeration of a tag; an empty type if there is none.
  QualType find_tag(NameId tag) const { return tag < tags_.size() ? tags_[tag].what : QualType{}; }
  QualType find_tag_here(NameId tag) const;
  void declare_tag(NameId tag, QualType type);

  bool at_file_scope() const { return depth_ == 0; }
  // Every symbol, in the order of first declarations.
  const std::deque<Symbol>& all() const { return all_; }

  // A scope ends with the object.
  class Scope {
   public:
    explicit Scope(Scopes& scopes)
        : scopes_(scopes), symbols_(scopes.undo_.size()), tags_(scopes.undo_tags_.size()) {
      scopes_.depth_++;
    }
    ~Scope() { scopes_.leave(symbols_, tags_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Scopes& scopes_;
    std::size_t symbols_, tags_;
  };

 private:
  template <class T>
  struct Entry {
    T what{};
    unsigned depth = 0;
  };
  template <class T>
  struct Undo {
    NameId name;
    Entry<T> was;
  };
  void leave(std::size_t symbols, std::size_t tags);

  std::deque<Symbol> all_;
  std::vector<Entry<Symbol*>> symbols_;  // by name
  std::vector<Symbol*> file_;
  std::vector<Entry<QualType>> tags_;
  std::vector<Undo<Symbol*>> undo_;
  std::vector<Undo<QualType>> undo_tags_;
  unsigned depth_ = 0;
};

}  // namespace upc2c
