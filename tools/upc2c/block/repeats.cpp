// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/block/repeats.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "tools/upc2c/ast/stmt.hpp"
#include "tools/upc2c/ast/symbol.hpp"

namespace upc2c {
namespace {

// More are not looked for: what is compared with each read.
constexpr std::size_t kMaxEntries = 16;

constexpr std::string_view kStore = "a store may be to it",
                           kPointer = "a store through a pointer may be to it",
                           kRead = "another read may show a newer value",
                           kOrder = "a call, an order of accesses or a jump is between them";

class Finder {
 public:
  Finder(const TokenStream& stream, const std::function<bool(const Node*)>& wanted,
         const std::function<bool(const Expr*)>& done)
      : stream_(stream), wanted_(wanted), done_(done) {}

  void item(const Node* item, std::span<const Event> events);
  Repeats take(std::span<const ReadGroup> groups);

 private:
  // A read, or an element, that may come again.
  struct Entry {
    const Node* before = nullptr;
    ReadPlace place;  // of an element: `object`
    std::unordered_set<const Symbol*> names;
    std::vector<ElementAccess> accesses;
    bool alive = true;
    std::string_view ended;  // why it is not
  };

  void apply(const Event& event, bool conditional);
  void branches(const IfStmt* link);
  void branch(const Stmt* branch);
  void read(const Event& event, bool conditional);
  void find_element(const Event& event, bool conditional);
  // The object of an lvalue may have another value from here on.
  void changed(const Expr* lvalue, std::string_view reason);
  void assigned(const Symbol* symbol);
  void stored();
  void order();
  bool may_begin(const ReadPlace& place, Entry& entry) const;
  Entry* room(std::vector<Entry>& entries, std::vector<Entry>& past);

  const TokenStream& stream_;
  const std::function<bool(const Node*)>& wanted_;
  const std::function<bool(const Expr*)>& done_;
  std::vector<Entry> values_, elements_, past_values_, past_elements_;
  std::vector<ReadAgain> again_;
  // Of the current item, which is null where nothing may be in front of it.
  const Node* item_ = nullptr;
  bool stored_ = false;
  std::unordered_set<const Symbol*> assigned_;
  std::vector<const Expr*> written_;
};

void Finder::item(const Node* item, std::span<const Event> events) {
  item_ = wanted_(item) ? item : nullptr;
  stored_ = false;
  assigned_.clear();
  written_.clear();
  for (const Event& event : events) {
    if (event.kind == Event::Kind::kBranches)
      branches(as<IfStmt>(item));
    else
      apply(event, false);
  }
}

void Finder::apply(const Event& event, bool conditional) {
  switch (event.kind) {
    case Event::Kind::kRead:
      if (done_(event.access)) return;
      find_element(event, conditional);
      return read(event, conditional);
    case Event::Kind::kWrite:
      find_element(event, conditional);
      return changed(event.access, kStore);
    case Event::Kind::kAssigned:
      return assigned(event.symbol);
    case Event::Kind::kStored:
      return stored();
    case Event::Kind::kOrder:
      return order();
    case Event::Kind::kBranches:
      return;
  }
}

// What the branches do ends nothing for each other: the state is put back for each. Behind them it all ends.
void Finder::branches(const IfStmt* link) {
  const auto conditional = [this](const Stmt* part) {
    std::vector<bool> alive;
    for (const auto* entries : {&values_, &elements_})
      for (const Entry& entry : *entries) alive.push_back(entry.alive);
    branch(part);
    auto was = alive.begin();
    for (auto* entries : {&values_, &elements_})
      for (Entry& entry : *entries) entry.alive = *was++;
  };
  while (link != nullptr) {
    conditional(link->then_branch());
    const auto* next = cast_if<IfStmt>(link->else_branch());
    if (next == nullptr) {
      if (link->else_branch() != nullptr) conditional(link->else_branch());
      return;
    }
    for (const Event& event : events_of(next, stream_)) {
      if (event.kind == Event::Kind::kBranches) break;
      apply(event, true);
    }
    link = next;
  }
}

void Finder::branch(const Stmt* branch) {
  const auto* block = cast_if<Compound>(branch);
  Node* const single[] = {const_cast<Stmt*>(branch)};
  for (const Node* item : block != nullptr ? block->items() : std::span<Node* const>(single)) {
    if (item == nullptr) continue;
    for (const Event& event : events_of(item, stream_)) {
      apply(event, true);
      if (event.kind == Event::Kind::kOrder) return;
    }
  }
}

void Finder::read(const Event& event, bool conditional) {
  const auto place = is_read_type(event.access->type) ? read_place(event.access) : std::nullopt;
  if (!place) return changed(event.access, kRead);
  const auto is_same = [&](const Entry& entry) {
    return entry.place.offset == place->offset && entry.place.size == place->size &&
           entry.place.pointed == place->pointed &&
           entry.accesses[0].access->type.unqualified() == event.access->type.unqualified() &&
           same_expression(entry.place.object, place->object, stream_);
  };
  for (Entry& entry : values_)
    if (entry.alive && is_same(entry)) {
      entry.accesses.push_back({event.access, nullptr});
      return;
    }
  for (auto* entries : {&values_, &past_values_})
    for (Entry& entry : *entries)
      if (!entry.alive && !entry.ended.empty() && is_same(entry)) {
        again_.push_back({event.access, std::exchange(entry.ended, {})});
        break;
      }
  Entry entry;
  if (!conditional && event.always && is_fixed(*place, entry.names) && may_begin(*place, entry))
    if (Entry* free = room(values_, past_values_)) {
      entry.accesses.push_back({event.access, nullptr});
      *free = std::move(entry);
      return;
    }
  changed(event.access, kRead);
}

void Finder::find_element(const Event& event, bool conditional) {
  const Expr* element = divided_element(event.access);
  if (element == nullptr || done_(element)) return;
  const ReadPlace place{element, false, 0, 0};
  for (Entry& entry : elements_)
    if (entry.alive && same_expression(entry.place.object, element, stream_)) {
      entry.accesses.push_back({event.access, element});
      return;
    }
  Entry entry;
  if (conditional || !event.always || item_ == nullptr || !is_fixed(place, entry.names)) return;
  if (std::any_of(entry.names.begin(), entry.names.end(), [&](const Symbol* name) {
        return assigned_.count(name) != 0 || (stored_ && is_exposed(*name));
      }))
    return;
  entry.before = item_;
  entry.place = place;
  entry.accesses.push_back({event.access, element});
  if (Entry* free = room(elements_, past_elements_)) *free = std::move(entry);
}

// Whether the object may be read in front of the item. Completes the entry.
bool Finder::may_begin(const ReadPlace& place, Entry& entry) const {
  if (item_ == nullptr || stored_) return false;
  if (std::any_of(entry.names.begin(), entry.names.end(),
                  [&](const Symbol* name) { return assigned_.count(name) != 0; }))
    return false;
  if (std::any_of(written_.begin(), written_.end(),
                  [&](const Expr* lvalue) { return may_overlap(place, lvalue, stream_); }))
    return false;
  entry.before = item_;
  entry.place = place;
  return true;
}

// A new entry, or null: there are too many.
Finder::Entry* Finder::room(std::vector<Entry>& entries, std::vector<Entry>& past) {
  if (entries.size() < kMaxEntries) return &entries.emplace_back();
  const auto over = std::find_if(entries.begin(), entries.end(), [](const Entry& e) { return !e.alive; });
  if (over == entries.end()) return nullptr;
  past.push_back(std::move(*over));
  *over = {};
  return &*over;
}

void Finder::changed(const Expr* lvalue, std::string_view reason) {
  written_.push_back(lvalue);
  for (Entry& entry : values_)
    if (entry.alive && may_overlap(entry.place, lvalue, stream_)) {
      entry.alive = false;
      entry.ended = reason;
    }
}

void Finder::assigned(const Symbol* symbol) {
  assigned_.insert(symbol);
  for (auto* entries : {&values_, &elements_})
    for (Entry& entry : *entries)
      if (entry.names.count(symbol) != 0) {
        entry.alive = false;
        entry.ended = {};  // another object has the name
      }
}

// A private pointer may point to a shared object that is mapped, and to variables whose address is known.
void Finder::stored() {
  stored_ = true;
  for (Entry& entry : values_)
    if (entry.alive) {
      entry.alive = false;
      entry.ended = kPointer;
    }
  for (Entry& entry : elements_)
    if (std::any_of(entry.names.begin(), entry.names.end(),
                    [](const Symbol* name) { return is_exposed(*name); }))
      entry.alive = false;
}

void Finder::order() {
  item_ = nullptr;
  for (auto* entries : {&values_, &elements_})
    for (Entry& entry : *entries)
      if (entry.alive) {
        entry.alive = false;
        entry.ended = kOrder;
      }
}

Repeats Finder::take(std::span<const ReadGroup> groups) {
  Repeats out;
  out.again = std::move(again_);
  // Reads whose text is written once count once.
  std::unordered_map<const Expr*, const void*> together;
  std::unordered_map<const Expr*, const ReadGroup*> grouped;
  for (const ReadGroup& group : groups)
    for (const GroupedRead& read : group.reads) {
      together[read.access] = &group;
      grouped[read.access] = &group;
    }
  for (auto* entries : {&past_values_, &values_})
    for (Entry& entry : *entries) {
      if (entry.accesses.size() < 2) continue;
      RepeatedRead read{entry.before, {}};
      for (const ElementAccess& access : entry.accesses) {
        read.reads.push_back(access.access);
        together.try_emplace(access.access, &entry);
      }
      out.reads.push_back(std::move(read));
    }
  for (auto* entries : {&past_elements_, &elements_})
    for (Entry& entry : *entries) {
      std::unordered_set<const void*> users;
      for (const ElementAccess& access : entry.accesses) {
        const auto found = together.find(access.access);
        users.insert(found == together.end() ? access.access : found->second);
        // A group may begin in front of an earlier item: there its objects are found.
        if (const auto group = grouped.find(access.access);
            group != grouped.end() && group->second->before->tokens.begin < entry.before->tokens.begin)
          entry.before = group->second->before;
      }
      if (users.size() >= 2) out.elements.push_back({entry.before, std::move(entry.accesses)});
    }
  return out;
}

}  // namespace

Repeats find_repeats(std::span<const ItemEvents> items, std::span<const ReadGroup> groups,
                     const TokenStream& stream, const std::function<bool(const Node*)>& wanted,
                     const std::function<bool(const Expr*)>& done) {
  Finder finder(stream, wanted, done);
  for (const ItemEvents& item : items) finder.item(item.item, item.events);
  return finder.take(groups);
}

}  // namespace upc2c
