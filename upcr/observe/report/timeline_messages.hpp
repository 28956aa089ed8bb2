// SPDX-License-Identifier: BSD-3-Clause
// The messages of a timeline and their handlers: spans, and an arrow from each message to its handler. They
// are written when all threads have been added, since both ends of a message are needed to place it.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "upcr/observe/part.hpp"
#include "upcr/observe/report/trace_events.hpp"

namespace upcr::observe {

class TimelineMessages {
 public:
  using Row = TraceEvents::Row;
  static constexpr const char* kCategory = "message";

  struct Place {
    Row row;
    std::uint64_t clock;  // the same for threads whose moments are of one clock
    double at, length;    // us
    std::string_view file;
    std::int32_t line;
  };
  // An event of this kind, which is a message's or a handler's. Of one thread after the other, as recorded.
  void add(const Place& place, Kind kind, const PartEvent& event);
  // When all have been added.
  void write(TraceEvents& out);

 private:
  struct End {  // of a message
    Row row;
    std::uint64_t clock;
    double at, length;
    const std::string* file;
    std::int32_t line;
    Kind kind;
    std::uint32_t peer;
    std::uint64_t bytes, number;
  };
  struct Pair {
    std::size_t sent, handled;  // in ends_
  };
  std::vector<Pair> pairs() const;
  void place_before_handler(const Pair& pair);

  std::vector<End> ends_;  // as they were recorded, thread by thread
  std::set<std::string, std::less<>> files_;
};

}  // namespace upcr::observe
