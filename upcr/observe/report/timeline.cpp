// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/report/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

#include "upcr/observe/report/text.hpp"

namespace upcr::observe {
namespace {

// The groups by which a viewer colours and selects events.
const char* category(Kind kind) noexcept {
  switch (kind) {
    case Kind::kBarrier:
    case Kind::kNotify:
    case Kind::kSemPost:
    case Kind::kSemWait:
    case Kind::kSync:
      return "synchronisation";
    case Kind::kLock:
    case Kind::kLockAttempt:
    case Kind::kUnlock:
      return "lock";
    case Kind::kUser:
    case Kind::kMark:
      return "region";
    case Kind::kAlloc:
    case Kind::kAllAlloc:
    case Kind::kFree:
    case Kind::kLockAlloc:
      return "heap";
    case Kind::kIo:
    case Kind::kIoRead:
    case Kind::kIoWrite:
      return "io";
    default:
      if (is_message(kind)) return TimelineMessages::kCategory;
      return kind >= Kind::kBroadcast && kind <= Kind::kTeam ? "collective" : "access";
  }
}

// What is in a part, whose sizes have been checked.
struct View {
  PartHeader header;
  std::vector<PartCell> cells;
  std::vector<char> names;
  const char *texts, *events;

  bool read(std::span<const char> part) {
    if (part.size() < sizeof header) return false;
    std::memcpy(&header, part.data(), sizeof header);
    header.host[sizeof header.host - 1] = '\0';
    const PartHeader& h = header;
    if (h.magic != kPartMagic || part.size() < part_bytes(h) || h.cells > h.cell_capacity ||
        h.name_bytes == 0 || h.name_bytes > h.name_capacity || h.event_capacity == 0)
      return h.magic == kPartMagic && h.event_capacity == 0 && part.size() >= part_bytes(h);
    const char* at = part.data() + sizeof header;
    cells.resize(h.cells);
    std::memcpy(cells.data(), at, h.cells * sizeof(PartCell));
    at += h.cell_capacity * sizeof(PartCell);
    names.assign(at, at + h.name_bytes);
    names.back() = '\0';
    texts = at + h.name_capacity;
    events = texts + h.text_capacity;
    return true;
  }
  // Of a mark; later ones may have overwritten it.
  std::string text(const PartEvent& e) const {
    const PartHeader& h = header;
    if (h.text_capacity == 0 || e.waited >= h.text_bytes || h.text_bytes - e.waited > h.text_capacity)
      return "(the text is lost: others have overwritten it)";
    const char* const from = texts + e.waited % h.text_capacity;
    return {from, ::strnlen(from, h.text_capacity - e.waited % h.text_capacity)};
  }
  PartEvent event(std::uint64_t i) const noexcept {
    PartEvent e;
    std::memcpy(&e, events + i % header.event_capacity * sizeof e, sizeof e);
    return e;
  }
  const char* name(const PartCell& cell) const noexcept {
    return cell.file < names.size() ? names.data() + cell.file : "";
  }
};

// Microseconds of a part's ticks, on the timeline's clock and as lengths.
class Clock {
 public:
  // `zero`: ns of thread 0's clock; 0: it is set to before the program of this part.
  Clock(const PartHeader& h, std::uint64_t* zero)
      : start_ticks_(h.start_ticks),
        tick_(h.last_ticks > h.start_ticks ? static_cast<double>(h.last_ns - h.start_ns) /
                                                 static_cast<double>(h.last_ticks - h.start_ticks)
                                           : 1.0) {
    const auto offset = static_cast<std::uint64_t>(h.clock_offset);
    if (*zero == 0) *zero = h.process_ns + offset;
    base_ = static_cast<double>(static_cast<std::int64_t>(h.start_ns + offset - *zero));
  }
  // In the file's resolution: what is within something else, in ticks, is so in the file.
  double at(std::uint64_t ticks) const noexcept {
    const double ns = base_ + static_cast<double>(static_cast<std::int64_t>(ticks - start_ticks_)) * tick_;
    return std::max(std::round(ns), 0.0) * TraceEvents::kLeastLength;
  }
  double length(std::uint64_t ticks) const noexcept { return static_cast<double>(ticks) * tick_ / 1000; }

 private:
  std::uint64_t start_ticks_;
  double tick_, base_;
};

// The details of a span. `waited`: us.
void write_details(JsonWriter& json, const PartEvent& e, double waited) {
  constexpr std::uint32_t kNoPeer = ~0u;
  json.member("bytes", e.bytes);
  if (e.peer != kNoPeer) json.member("memory of thread", e.peer);
  if (waited != 0) json.member("waited us", waited);
}

// A counter belongs to a process; its threads have one each.
std::string counter_name(const char* what, std::uint32_t thread) {
  return what + std::string(" of UPC thread ") + std::to_string(thread);
}

}  // namespace

void Timeline::names(const PartHeader& h) {
  const Row row{h.rank, h.thread};
  out_.process_name(row, "process " + std::to_string(h.rank) + " on " + h.host);
  out_.thread_name(row, "UPC thread " + std::to_string(h.thread));
  out_.thread_sort_index(row, h.thread);
}

void Timeline::bytes_in_flight(const Row& row, double at, std::uint64_t bytes) {
  out_.counter(row, counter_name("bytes in flight", row.thread), at,
               [&](JsonWriter& json) { json.member("bytes", bytes); });
}

void Timeline::heap(const Row& row, double at, const PartEvent& e) {
  out_.counter(row, counter_name("heap", row.thread), at, [&](JsonWriter& json) {
    json.member("local", e.bytes);
    if (e.waited != ~std::uint64_t{0}) json.member("global", e.waited);
  });
}

// Threads of one host have one counter, so the first one's moments hold for all of them: each of its own
// would be wrong by what came between its readings of the two clocks, and a message might arrive before it
// leaves. A host of the same name may be another one, whose counter disagrees.
void Timeline::use_clock_of_host(PartHeader* h) {
  constexpr double kMostNs = 1e5;
  const auto [found, added] = clocks_.try_emplace(h->host, *h);
  if (added) return;
  const PartHeader& known = found->second;
  const double tick = static_cast<double>(known.last_ns - known.start_ns) /
                      static_cast<double>(std::max<std::uint64_t>(known.last_ticks - known.start_ticks, 1));
  const double ns = static_cast<double>(static_cast<std::int64_t>(h->start_ticks - known.start_ticks)) * tick;
  if (std::abs(ns - static_cast<double>(static_cast<std::int64_t>(h->start_ns - known.start_ns))) > kMostNs)
    return;
  h->start_ticks = known.start_ticks;
  h->start_ns = known.start_ns;
  h->last_ticks = known.last_ticks;
  h->last_ns = known.last_ns;
}

bool Timeline::add(std::span<const char> part) {
  View view;
  if (!view.read(part) || !threads_.insert(view.header.thread).second) return false;
  use_clock_of_host(&view.header);
  const PartHeader& h = view.header;
  const Clock clock(h, &zero_);
  const Row row{h.rank, h.thread};
  names(h);
  const std::uint64_t kept = std::min<std::uint64_t>(h.events, h.event_capacity);
  lost_ += h.lost + (h.events - kept);
  most_ = std::max(most_, h.lost + h.events);
  std::uint64_t non_blocking = 0;  // bytes in flight
  for (std::uint64_t i = h.events - kept; i < h.events; ++i) {
    const PartEvent e = view.event(i);
    if (e.cell >= view.cells.size()) continue;
    const PartCell& cell = view.cells[e.cell];
    const std::string_view file = view.name(cell);
    const double at = clock.at(e.start),
                 length = std::max(clock.at(e.start + e.duration) - at, TraceEvents::kLeastLength);
    ++events_;
    if (cell.kind == Kind::kBytesInFlight) {
      non_blocking = e.bytes;
      bytes_in_flight(row, at, e.bytes);
      continue;
    }
    if (cell.kind == Kind::kHeapBytes) {
      heap(row, at, e);
      continue;
    }
    if (cell.kind == Kind::kMark) {  // with a message of the program
      out_.instant(row, view.text(e), category(cell.kind), at,
                   [&](JsonWriter& json) { json.member("line", text_of_place(file, cell.line)); });
      continue;
    }
    if (is_message(cell.kind)) {
      messages_.add({row, h.start_ticks, at, length, file, cell.line}, cell.kind, e);
      continue;
    }
    const bool region = cell.kind == Kind::kUser;
    out_.span(row, region ? file : name_of(cell.kind), category(cell.kind), at, length,
              [&](JsonWriter& json) {
                if (!region && !file.empty()) json.member("line", text_of_place(file, cell.line));
                write_details(json, e, clock.length(e.waited));
              });
    // A blocking access is in flight while it lasts.
    if ((e.flags & kPartRemote) == 0 || e.bytes == 0 || !is_blocking_transfer(cell.kind)) continue;
    bytes_in_flight(row, at, non_blocking + e.bytes);
    bytes_in_flight(row, at + length, non_blocking);
  }
  return true;
}

void Timeline::end() {
  messages_.write(out_);
  out_.end(events_, lost_);
}

}  // namespace upcr::observe
