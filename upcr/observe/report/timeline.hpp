// SPDX-License-Identifier: BSD-3-Clause
// Writes a timeline from the parts of a trace (part.hpp): JSON in the Trace Event Format, which
// ui.perfetto.dev and chrome://tracing show.
#pragma once
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <span>
#include <string>

#include "upcr/observe/part.hpp"
#include "upcr/observe/report/timeline_messages.hpp"
#include "upcr/observe/report/trace_events.hpp"

namespace upcr::observe {

class Timeline {
 public:
  // Begins the file. `out` is open while the object lives.
  explicit Timeline(std::FILE* out) : out_(out) {}
  // Adds the events of one thread. False: this is no part, or the thread has been added; nothing is written.
  bool add(std::span<const char> part);
  // Ends the file.
  void end();

  std::uint64_t events() const noexcept { return events_; }
  std::uint64_t lost() const noexcept { return lost_; }
  // Of the thread that had the most, lost ones too.
  std::uint64_t most_of_a_thread() const noexcept { return most_; }

 private:
  using Row = TraceEvents::Row;
  void use_clock_of_host(PartHeader* header);
  void names(const PartHeader& header);
  void bytes_in_flight(const Row& row, double at, std::uint64_t bytes);
  void heap(const Row& row, double at, const PartEvent& e);

  TraceEvents out_;
  std::uint64_t events_ = 0, lost_ = 0, most_ = 0;
  TimelineMessages messages_;
  std::set<std::uint32_t> threads_;           // that have been added
  std::map<std::string, PartHeader> clocks_;  // by host: that of its first part
  std::uint64_t zero_ = 0;  // ns, of thread 0's clock: before the program began on any thread
};

}  // namespace upcr::observe
