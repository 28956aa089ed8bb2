// SPDX-License-Identifier: BSD-3-Clause
// Writes a timeline from the parts of a trace (part.hpp): JSON in the Trace Event Format, which
// ui.perfetto.dev and chrome://tracing show.
#pragma once
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "upcr/observe/part.hpp"

namespace upcr::observe {

class Timeline {
 public:
  // Begins the file. `out` is open while the object lives.
  explicit Timeline(std::FILE* out);
  // Adds the events of one thread. False: this is no part, or the thread has been added; nothing is written.
  bool add(const std::vector<char>& part);
  // Ends the file.
  void end();

  std::uint64_t events() const noexcept { return events_; }
  std::uint64_t lost() const noexcept { return lost_; }
  // Arrows from messages to their handlers; known after end().
  std::uint64_t flows() const noexcept { return flows_; }

 private:
  struct Row {
    std::uint32_t process, thread;
  };
  // A message that was sent, or its handler.
  struct FlowEnd {
    std::uint32_t from, to;  // processes
    std::uint64_t number;
    bool handled;
    Row row;
    double at;
  };
  void begin(const char* phase, const Row& row, const char* name);
  void names(const Row& row, const std::string& host);
  void counter(const Row& row, const char* name, double at, const char* series, std::uint64_t value);
  void span(const Row& row, Kind kind, const std::string& file, int line, double at, double length);
  void mark(const Row& row, const std::string& text, double at);
  void details(Kind kind, const PartEvent& e, double waited);
  void add_flow_end(const Row& row, Kind kind, const PartEvent& e, double at);
  void write_flows();

  std::FILE* out_;
  bool first_ = true;
  std::uint64_t events_ = 0, flows_ = 0, lost_ = 0;
  std::vector<FlowEnd> flow_ends_;
  void use_clock_of_host(PartHeader* header);
  std::set<std::uint32_t> threads_;           // that have been added
  std::map<std::string, PartHeader> clocks_;  // by host: that of its first part
  std::uint64_t zero_ = 0;  // ns, of thread 0's clock: before the program began on any thread
};

}  // namespace upcr::observe
