// SPDX-License-Identifier: BSD-3-Clause
// The trace of one UPC thread, as a file that is mapped while the program runs: whatever ends the process,
// what it had recorded is there. The same layout, with the capacities that it needs, is sent to UPC thread 0.
//
// PartHeader, PartCell[cell_capacity], char[name_capacity], char[text_capacity], PartEvent[event_capacity]
#pragma once
#include <cstddef>
#include <cstdint>

#include "upcr/observe/kinds.hpp"

namespace upcr::observe {

inline constexpr std::uint64_t kPartMagic = 0x3352545054535055u;  // "UPSTPTR3"

// The kind and the line of operations.
struct PartCell {
  Kind kind;
  std::uint32_t file;  // offset of its name; 0: not known
  std::int32_t line;
  std::uint32_t unused;
};

struct PartEvent {
  std::uint64_t start, duration;  // ticks
  // Ticks waited. Of a message and of its handler: its number (messages.hpp). Of the counter of the heap: the
  // bytes of the thread's part of the global heap; ~0: not known here. Of a mark: where its text is,
  // as the header counts texts.
  std::uint64_t waited;
  std::uint64_t bytes;  // of a counter: its value
  std::uint16_t cell;
  std::uint16_t flags;  // PartFlags
  std::uint32_t peer;   // whose memory, or the process at the message's other end; ~0: nobody's
};
static_assert(sizeof(PartEvent) == 40);
// The memory is not mapped; all of it is the thread's own.
enum PartFlags : std::uint16_t { kPartRemote = 1, kPartOwn = 2 };

struct PartHeader {
  std::uint64_t magic;
  std::uint32_t thread, threads, rank;
  std::uint32_t cell_capacity, name_capacity, text_capacity, event_capacity;
  std::uint32_t cells, name_bytes;
  std::uint64_t text_bytes;             // of marks; the last text_capacity of them are kept, in a ring
  std::uint64_t events;                 // recorded; the last event_capacity of them are kept, in a ring
  std::uint64_t lost;                   // of others that are in a message
  std::uint64_t process_ns;             // before any thread of the job runs the program
  std::uint64_t start_ticks, start_ns;  // both clocks at two moments
  std::uint64_t last_ticks, last_ns;
  std::int64_t clock_offset;  // ns, of the clock of UPC thread 0's host from that of this one
  char host[64];
};

inline std::size_t part_bytes(const PartHeader& h) noexcept {
  return sizeof(PartHeader) + h.cell_capacity * sizeof(PartCell) + h.name_capacity + h.text_capacity +
         h.event_capacity * sizeof(PartEvent);
}

}  // namespace upcr::observe
