// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/report/timeline.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>

#include "upcr/observe/report/json_text.hpp"

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
      if (is_message(kind)) return "message";
      return kind >= Kind::kBroadcast && kind <= Kind::kTeam ? "collective" : "access";
  }
}

// What is in a part, whose sizes have been checked.
struct View {
  PartHeader header;
  std::vector<PartCell> cells;
  std::vector<char> names;
  const char *texts, *events;

  bool read(const std::vector<char>& part) {
    if (part.size() < sizeof header) return false;
    std::memcpy(&header, part.data(), sizeof header);
    const PartHeader& h = header;
    if (h.magic != kPartMagic || part.size() < part_bytes(h) || h.cells > h.cell_capacity ||
        h.name_bytes == 0 || h.name_bytes > h.name_capacity || h.event_capacity == 0)
      return h.magic == kPartMagic && h.event_capacity == 0 && part.size() >= part_bytes(h);
    header.host[sizeof header.host - 1] = '\0';
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
  double at(std::uint64_t ticks) const noexcept {
    return std::max(
        (base_ + static_cast<double>(static_cast<std::int64_t>(ticks - start_ticks_)) * tick_) / 1000, 0.0);
  }
  double length(std::uint64_t ticks) const noexcept { return static_cast<double>(ticks) * tick_ / 1000; }

 private:
  std::uint64_t start_ticks_;
  double tick_, base_;
};

constexpr std::uint32_t kNoPeer = ~0u;
constexpr double kLeast = 0.001;  // us: the resolution of the file

}  // namespace

Timeline::Timeline(std::FILE* out) : out_(out) {
  std::fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", out_);
}

// Begins an event; what follows are its further members and a brace.
void Timeline::begin(const char* phase, const Row& row, const char* name) {
  std::fprintf(out_, "%s{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u,\"name\":\"%s\"", first_ ? "" : ",\n", phase,
               row.process, row.thread, name);
  first_ = false;
}

void Timeline::names(const Row& row, const std::string& host) {
  begin("M", row, "process_name");
  std::fprintf(out_, ",\"args\":{\"name\":\"process %u on %s\"}}", row.process, host.c_str());
  begin("M", row, "thread_name");
  std::fprintf(out_, ",\"args\":{\"name\":\"UPC thread %u\"}}", row.thread);
  begin("M", row, "thread_sort_index");
  std::fprintf(out_, ",\"args\":{\"sort_index\":%u}}", row.thread);
}

// A counter belongs to a process; its threads have one each.
void Timeline::counter(const Row& row, const char* name, double at, const char* series, std::uint64_t value) {
  begin("C", row, (name + std::string(" of UPC thread ") + std::to_string(row.thread)).c_str());
  std::fprintf(out_, ",\"ts\":%.3f,\"args\":{\"%s\":%" PRIu64, at, series, value);
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

bool Timeline::add(const std::vector<char>& part) {
  View view;
  if (!view.read(part) || !threads_.insert(view.header.thread).second) return false;
  use_clock_of_host(&view.header);
  const PartHeader& h = view.header;
  const Clock clock(h, &zero_);
  const Row row{h.rank, h.thread};
  names(row, json_text(h.host));
  const std::uint64_t kept = std::min<std::uint64_t>(h.events, h.event_capacity);
  lost_ += h.lost + (h.events - kept);
  std::uint64_t non_blocking = 0;  // bytes in flight
  for (std::uint64_t i = h.events - kept; i < h.events; ++i) {
    const PartEvent e = view.event(i);
    if (e.cell >= view.cells.size()) continue;
    const PartCell& cell = view.cells[e.cell];
    // A viewer binds an arrow to the span that is there; one of no length would be none.
    const double at = clock.at(e.start), length = std::max(clock.length(e.duration), kLeast);
    ++events_;
    if (cell.kind == Kind::kBytesInFlight) {
      non_blocking = e.bytes;
      counter(row, "bytes in flight", at, "bytes", e.bytes);
      std::fputs("}}", out_);
      continue;
    }
    if (cell.kind == Kind::kHeapBytes) {
      counter(row, "heap", at, "local", e.bytes);
      if (e.waited != ~std::uint64_t{0}) std::fprintf(out_, ",\"global\":%" PRIu64, e.waited);
      std::fputs("}}", out_);
      continue;
    }
    if (cell.kind == Kind::kMark) {
      mark(row, json_text(view.text(e)), at);
      std::fprintf(out_, "\"line\":\"%s:%d\"}}", json_text(view.name(cell)).c_str(), cell.line);
      continue;
    }
    span(row, cell.kind, json_text(view.name(cell)), cell.line, at, length);
    details(cell.kind, e, is_message(cell.kind) ? 0 : clock.length(e.waited));
    if (is_message(cell.kind)) add_flow_end(row, cell.kind, e, at);
    // A blocking access is in flight while it lasts.
    if ((e.flags & kPartRemote) == 0 || e.bytes == 0 || !is_blocking_transfer(cell.kind)) continue;
    for (const auto& [when, bytes] :
         {std::pair(at, non_blocking + e.bytes), std::pair(at + length, non_blocking)}) {
      counter(row, "bytes in flight", when, "bytes", bytes);
      std::fputs("}}", out_);
    }
  }
  return true;
}

void Timeline::span(const Row& row, Kind kind, const std::string& file, int line, double at, double length) {
  const bool region = kind == Kind::kUser;
  begin("X", row, region ? file.c_str() : name_of(kind));
  std::fprintf(out_, ",\"cat\":\"%s\",\"ts\":%.3f,\"dur\":%.3f,\"args\":{", category(kind), at, length);
  if (!region && !file.empty()) std::fprintf(out_, "\"line\":\"%s:%d\",", file.c_str(), line);
}

// An instant with a message of the program.
void Timeline::mark(const Row& row, const std::string& text, double at) {
  begin("i", row, text.c_str());
  std::fprintf(out_, ",\"cat\":\"%s\",\"s\":\"t\",\"ts\":%.3f,\"args\":{", category(Kind::kMark), at);
}

void Timeline::details(Kind kind, const PartEvent& e, double waited) {
  std::fprintf(out_, "\"bytes\":%" PRIu64, e.bytes);
  const char* const peer = is_handler(kind)   ? "from process"
                           : is_message(kind) ? "to process"
                                              : "memory of thread";
  if (e.peer != kNoPeer) std::fprintf(out_, ",\"%s\":%u", peer, e.peer);
  if (waited != 0) std::fprintf(out_, ",\"waited us\":%.3f", waited);
  std::fputs("}}", out_);
}

void Timeline::add_flow_end(const Row& row, Kind kind, const PartEvent& e, double at) {
  const bool handled = is_handler(kind);
  flow_ends_.push_back(
      {handled ? e.peer : row.process, handled ? row.process : e.peer, e.waited, handled, row, at});
}

// Flows whose two ends are there: the other end may be lost, or on a thread that records nothing.
void Timeline::write_flows() {
  const auto key = [](const FlowEnd& end) { return std::tuple(end.from, end.to, end.number, end.handled); };
  std::sort(flow_ends_.begin(), flow_ends_.end(),
            [&](const FlowEnd& a, const FlowEnd& b) { return key(a) < key(b); });
  for (std::size_t i = 0; i + 1 < flow_ends_.size(); ++i) {
    const FlowEnd &sent = flow_ends_[i], &handled = flow_ends_[i + 1];
    if (sent.handled || !handled.handled ||
        std::tie(sent.from, sent.to, sent.number) != std::tie(handled.from, handled.to, handled.number))
      continue;
    ++flows_;
    begin("s", sent.row, "message");
    std::fprintf(out_, ",\"cat\":\"message\",\"id\":%" PRIu64 ",\"ts\":%.3f}", flows_, sent.at);
    begin("f", handled.row, "message");
    // In clocks of two hosts the end may be before the start, by less than the clocks' difference.
    std::fprintf(out_, ",\"cat\":\"message\",\"id\":%" PRIu64 ",\"ts\":%.3f,\"bp\":\"e\"}", flows_,
                 handled.at);
  }
}

void Timeline::end() {
  write_flows();
  std::fprintf(out_,
               "\n],\"otherData\":{\"format\":\"upcr-trace 1\",\"events\":%" PRIu64 ",\"flows\":%" PRIu64
               ",\"lost\":%" PRIu64 "}}\n",
               events_, flows_, lost_);
}

}  // namespace upcr::observe
