// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/block/reads.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/block/events.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

// Further bytes cost a network more than the messages that they save.
constexpr std::uint64_t kMaxBytes = 256;
// Objects whose reads are collected at a time: their gets are started together, and the C compiler keeps as
// many addresses.
constexpr std::size_t kMaxOpen = 4;

struct Bytes {
  std::uint64_t begin = 0, end = 0;

  bool overlaps(Bytes other) const { return begin < other.end && other.begin < end; }
  bool has(Bytes other) const { return begin <= other.begin && other.end <= end; }
};

Bytes bytes_of(const ReadPlace& place) { return {place.offset, place.offset + place.size}; }

// Reads of one object that are being collected.
struct Open {
  const Node* before = nullptr;
  ReadPlace place;  // of the first read
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

bool is_exposed(const Open& open) {
  return std::any_of(open.names.begin(), open.names.end(),
                     [](const Symbol* s) { return upc2c::is_exposed(*s); });
}

// What was done since a place that reads might be moved to.
struct Since {
  const Node* item = nullptr;  // the place: in front of it
  std::unordered_set<const Symbol*> assigned;
  std::vector<const Expr*> written;  // lvalues of shared objects
  bool stored = false;               // through private pointers
};

class Finder {
 public:
  Finder(const TokenStream& stream, const std::function<bool(const Node*)>& wanted)
      : stream_(stream), wanted_(wanted) {}

  void item(const Node* item, std::span<const Event> events) {
    if (open_.empty()) front_ = Since();
    item_ = Since();
    if (wanted_(item)) item_.item = item;
    for (const Event& event : events) {
      switch (event.kind) {
        case Event::Kind::kRead:
          if (!read(event)) changed(event.access);
          break;
        case Event::Kind::kWrite:
          changed(event.access);
          break;
        case Event::Kind::kAssigned:
          item_.assigned.insert(event.symbol);
          front_.assigned.insert(event.symbol);
          close_if([&](const Open& open) { return open.names.count(event.symbol) != 0; });
          break;
        // What is mapped is read where the program reads it, and nothing else can be what is changed.
        case Event::Kind::kStored:
          item_.stored = front_.stored = true;
          close_if([](const Open& open) { return is_exposed(open); });
          break;
        case Event::Kind::kBranches:
          break;
        case Event::Kind::kOrder:
          item_ = front_ = Since();
          close_if([](const Open&) { return true; });
          break;
      }
    }
  }

  std::vector<ReadGroup> take() {
    close_if([](const Open&) { return true; });
    // What is alone stays where it is.
    std::unordered_map<const Node*, std::size_t> count;
    for (const ReadGroup& group : found_) count[group.before]++;
    std::erase_if(found_, [&](const ReadGroup& group) { return !group.several && count[group.before] == 1; });
    return std::move(found_);
  }

 private:
  // What was fetched earlier is not read any more where it may be the same bytes. Behind a read that stays
  // where it is neither: else a later read might have an older value.
  void changed(const Expr* lvalue) {
    item_.written.push_back(lvalue);
    front_.written.push_back(lvalue);
    close_if([&](Open& open) { return !note_write(open, lvalue); });
  }

  // False: it stays where it is.
  bool read(const Event& event) {
    if (!is_read_type(event.access->type)) return false;
    const auto place = read_place(event.access);
    if (!place) return false;
    for (Open& open : open_)
      if (is_same(open.place, *place) && add(open, event, *place)) return true;
    if (!event.always) return false;
    if (open_.size() == kMaxOpen) {
      close_if([](const Open&) { return true; });
      if (front_.item == item_.item) item_.item = nullptr;
      front_ = Since();
    }
    if (open_before(front_, event, *place)) return true;
    if (!open_before(item_, event, *place)) return false;
    front_ = item_;
    return true;
  }

  // Begins a group in front of `since`, if the read may be moved there.
  bool open_before(const Since& since, const Event& event, const ReadPlace& place) {
    if (since.item == nullptr) return false;
    Open open{since.item, place, {}, bytes_of(place), 1, {}, {}};
    if (!is_fixed(place, open.names)) return false;
    if (std::any_of(since.assigned.begin(), since.assigned.end(),
                    [&](const Symbol* symbol) { return open.names.count(symbol) != 0; }))
      return false;
    if (since.stored && is_exposed(open)) return false;
    for (const Expr* lvalue : since.written)
      if (!note_write(open, lvalue)) return false;
    if (!add(open, event, place)) return false;
    open_.push_back(std::move(open));
    return true;
  }

  bool add(Open& open, const Event& event, const ReadPlace& place) {
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

  // False if the write may be of the object and its bytes are not known.
  bool note_write(Open& open, const Expr* lvalue) const {
    if (const auto place = read_place(lvalue); place && is_same(open.place, *place)) {
      open.written.push_back(bytes_of(*place));
      return true;
    }
    return are_apart(open.place, lvalue);
  }

  bool is_same(const ReadPlace& a, const ReadPlace& b) const {
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
    ReadGroup group{open.before, open.place, open.align, false, {}};
    group.place.offset = whole.begin;
    group.place.size = whole.end - whole.begin;
    for (const auto& [access, bytes] : open.reads) {
      // Behind the members that are read in any case the object may end.
      if (!open.fetched.has(bytes)) continue;
      group.reads.push_back({access, bytes.begin - whole.begin, bytes.end - bytes.begin});
      group.several |= bytes.begin != open.reads.front().second.begin;
    }
    found_.push_back(std::move(group));
  }

  const TokenStream& stream_;
  const std::function<bool(const Node*)>& wanted_;
  std::vector<Open> open_;
  std::vector<ReadGroup> found_;
  Since front_, item_;  // the place that reads are moved to if they may be; the current item
};

}  // namespace

std::vector<ReadGroup> find_read_groups(std::span<const ItemEvents> items, const TokenStream& stream,
                                        const std::function<bool(const Node*)>& wanted) {
  Finder finder(stream, wanted);
  for (const ItemEvents& item : items) finder.item(item.item, item.events);
  return finder.take();
}

}  // namespace upc2c
