// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/report/timeline.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstring>

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
  const char* events;

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
    events = at + h.name_capacity;
    return true;
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

}  // namespace

Timeline::Timeline(std::FILE* out) : out_(out) {
  std::fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", out_);
}

void Timeline::separate() {
  if (!first_) std::fputs(",\n", out_);
  first_ = false;
}

bool Timeline::add(const std::vector<char>& part) {
  View view;
  if (!view.read(part)) return false;
  const PartHeader& h = view.header;
  const double tick = h.last_ticks > h.start_ticks ? static_cast<double>(h.last_ns - h.start_ns) /
                                                         static_cast<double>(h.last_ticks - h.start_ticks)
                                                   : 1.0;
  const auto offset = static_cast<std::uint64_t>(h.clock_offset);
  const std::uint64_t start_ns = h.start_ns + offset;
  if (zero_ == 0) zero_ = h.process_ns + offset;
  const double base = static_cast<double>(static_cast<std::int64_t>(start_ns - zero_));
  const std::string host = json_text(h.host);

  separate();
  std::fprintf(
      out_,
      "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"process %u on %s\"}},\n",
      h.rank, h.thread, h.rank, host.c_str());
  std::fprintf(
      out_,
      "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"UPC thread %u\"}},\n",
      h.rank, h.thread, h.thread);
  std::fprintf(
      out_,
      "{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%u,\"tid\":%u,\"args\":{\"sort_index\":%u}}",
      h.rank, h.thread, h.thread);

  const std::uint64_t kept = std::min<std::uint64_t>(h.events, h.event_capacity);
  lost_ += h.lost + (h.events - kept);
  for (std::uint64_t i = h.events - kept; i < h.events; ++i) {
    const PartEvent e = view.event(i);
    if (e.cell >= view.cells.size()) continue;
    const PartCell& cell = view.cells[e.cell];
    const std::string file = json_text(view.name(cell));
    const double at =
        (base + static_cast<double>(static_cast<std::int64_t>(e.start - h.start_ticks)) * tick) / 1000;
    separate();
    std::fprintf(
        out_,
        "{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":%.3f,\"dur\":%.3f,\"args\":{",
        cell.kind == Kind::kUser ? file.c_str() : name_of(cell.kind), category(cell.kind), h.rank, h.thread,
        std::max(at, 0.0), static_cast<double>(e.duration) * tick / 1000);
    const char* comma = "";
    if (cell.kind != Kind::kUser && !file.empty()) {
      std::fprintf(out_, "\"line\":\"%s:%d\"", file.c_str(), cell.line);
      comma = ",";
    }
    if (e.bytes != 0) std::fprintf(out_, "%s\"bytes\":%" PRIu64, comma, e.bytes), comma = ",";
    const char* const peer = is_message(cell.kind) ? "to process" : "memory of thread";
    if (e.peer != ~0u) std::fprintf(out_, "%s\"%s\":%u", comma, peer, e.peer), comma = ",";
    if (e.waited != 0)
      std::fprintf(out_, "%s\"waited us\":%.3f", comma, static_cast<double>(e.waited) * tick / 1000);
    std::fputs("}}", out_);
    ++events_;
  }
  return true;
}

void Timeline::end() {
  std::fprintf(
      out_, "\n],\"otherData\":{\"format\":\"upcr-trace 1\",\"events\":%" PRIu64 ",\"lost\":%" PRIu64 "}}\n",
      events_, lost_);
}

}  // namespace upcr::observe
