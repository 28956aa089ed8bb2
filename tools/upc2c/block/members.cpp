// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/block/members.hpp"

#include <algorithm>
#include <utility>

#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/block/events.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

// Further bytes cost a network more than the messages that they save.
constexpr std::uint64_t kMaxBytes = 256;
// Objects whose reads are collected at a time: a limit for generated programs.
constexpr std::size_t kMaxOpen = 16;

struct Bytes {
  std::uint64_t begin = 0, end = 0;

  bool overlaps(Bytes other) const { return begin < other.end && other.begin < end; }
  bool has(Bytes other) const { return begin <= other.begin && other.end <= end; }
};

Bytes bytes_of(const MemberPlace& place) { return {place.offset, place.offset + place.size}; }

// Numbers and pointers that one access reads, also pointers-to-shared.
bool is_member_type(QualType type) {
  if (!type.is_scalar() || type.has(kVolatile) || type.has(kAtomic) || type.is(TypeKind::kComplex))
    return false;
  const auto size = size_of(type);
  if (!size || size->threads) return false;
  return type.is_pointer() || size->factor == 1 || size->factor == 2 || size->factor == 4 ||
         size->factor == 8;
}

// Reads of one object that are being collected.
struct Open {
  const Node* before = nullptr;
  MemberPlace place;  // of the first read
  std::unordered_set<const Symbol*> names;
  Bytes fetched;  // by reads that always happen
  std::uint32_t align = 1;
  std::vector<std::pair<const Expr*, Bytes>> reads;
  std::vector<Bytes> written;  // meanwhile: reads of these bytes are not the object's of before
};

// In whole units of the largest member, so that no copy of the bytes takes a member apart.
Bytes rounded(Bytes bytes, std::uint64_t align) {
  return {bytes.begin / align * align, (bytes.end + align - 1) / align * align};
}

class Finder {
 public:
  Finder(const TokenStream& stream, const std::function<bool(const Node*)>& wanted)
      : stream_(stream), wanted_(wanted) {}

  void item(const Node* item) {
    if (open_.empty() && !item->has_upc) return;
    item_ = item;
    may_open_ = wanted_(item);
    assigned_.clear();
    written_.clear();
    for (const Event& event : events_of(item, stream_)) {
      switch (event.kind) {
        case Event::Kind::kRead:
          read(event);
          break;
        case Event::Kind::kWrite:
          write(event.access);
          break;
        case Event::Kind::kAssigned:
          assigned_.insert(event.symbol);
          close_if([&](const Open& open) { return open.names.count(event.symbol) != 0; });
          break;
        case Event::Kind::kOrder:
          may_open_ = false;
          close_if([](const Open&) { return true; });
          break;
      }
    }
  }

  std::vector<MemberGroup> take() {
    close_if([](const Open&) { return true; });
    return std::move(found_);
  }

 private:
  void read(const Event& event) {
    if (!is_member_type(event.access->type)) return;
    const auto place = member_place(event.access);
    if (!place) return;
    for (Open& open : open_)
      if (is_same(open.place, *place) && add(open, event, *place)) return;
    if (!event.always || !may_open_ || open_.size() == kMaxOpen) return;
    Open open{item_, *place, {}, bytes_of(*place), 1, {}, {}};
    if (!is_fixed(place->object, open.names)) return;
    if (std::any_of(assigned_.begin(), assigned_.end(),
                    [&](const Symbol* symbol) { return open.names.count(symbol) != 0; }))
      return;
    for (const Expr* lvalue : written_)
      if (!note_write(open, lvalue)) return;
    if (add(open, event, *place)) open_.push_back(std::move(open));
  }

  bool add(Open& open, const Event& event, const MemberPlace& place) {
    const Bytes bytes = bytes_of(place);
    if (std::any_of(open.written.begin(), open.written.end(),
                    [&](Bytes written) { return written.overlaps(bytes); }))
      return false;
    if (event.always) {
      const Bytes all{std::min(open.fetched.begin, bytes.begin), std::max(open.fetched.end, bytes.end)};
      const std::uint32_t align = std::max(open.align, align_of(event.access->type));
      const Bytes whole = rounded(all, align);
      if (whole.end - whole.begin > kMaxBytes) return false;
      open.fetched = all;
      open.align = align;
    }
    open.reads.push_back({event.access, bytes});
    return true;
  }

  void write(const Expr* lvalue) {
    written_.push_back(lvalue);
    close_if([&](Open& open) { return !note_write(open, lvalue); });
  }

  // False if the write may be of the object and its bytes are not known.
  bool note_write(Open& open, const Expr* lvalue) const {
    if (const auto place = member_place(lvalue); place && is_same(open.place, *place)) {
      open.written.push_back(bytes_of(*place));
      return true;
    }
    const Symbol *object = open.place.pointed && !open.place.object->type.is_array()
                               ? nullptr
                               : declared_object(open.place.object),
                 *other = declared_object(lvalue);
    return object != nullptr && other != nullptr && object != other;
  }

  bool is_same(const MemberPlace& a, const MemberPlace& b) const {
    return a.pointed == b.pointed && same_expression(a.object, b.object, stream_);
  }

  template <class Condition>
  void close_if(const Condition& condition) {
    for (std::size_t i = 0; i < open_.size();) {
      if (!condition(open_[i])) {
        i++;
        continue;
      }
      close(open_[i]);
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void close(const Open& open) {
    const Bytes whole = rounded(open.fetched, open.align);
    MemberGroup group{open.before, open.place, open.align, {}};
    group.place.offset = whole.begin;
    group.place.size = whole.end - whole.begin;
    bool several = false;
    for (const auto& [access, bytes] : open.reads) {
      // Behind the members that are read in any case the object may end.
      if (!open.fetched.has(bytes)) continue;
      group.reads.push_back({access, bytes.begin - whole.begin, bytes.end - bytes.begin});
      several |= bytes.begin != open.reads.front().second.begin;
    }
    if (several) found_.push_back(std::move(group));
  }

  const TokenStream& stream_;
  const std::function<bool(const Node*)>& wanted_;
  std::vector<Open> open_;
  std::vector<MemberGroup> found_;
  // Of the item: where reads may still be moved to its beginning, and what they would be moved across.
  const Node* item_ = nullptr;
  bool may_open_ = false;
  std::unordered_set<const Symbol*> assigned_;
  std::vector<const Expr*> written_;
};

}  // namespace

std::vector<MemberGroup> find_member_groups(std::span<Node* const> items, const TokenStream& stream,
                                            const std::function<bool(const Node*)>& wanted) {
  Finder finder(stream, wanted);
  for (const Node* item : items)
    if (item != nullptr) finder.item(item);
  return finder.take();
}

}  // namespace upc2c
