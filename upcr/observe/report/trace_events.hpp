// SPDX-License-Identifier: BSD-3-Clause
// Writes a file in the Trace Event Format, which ui.perfetto.dev and chrome://tracing show: rows of threads
// in groups of processes, with spans, instants, counters and arrows. Times are in microseconds since the
// beginning of the timeline.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "upcr/observe/report/json_writer.hpp"

namespace upcr::observe {

class TraceEvents {
 public:
  struct Row {
    std::uint32_t process, thread;
  };
  // Where an arrow starts or ends: at the span that is there.
  struct End {
    Row row;
    double at;
  };
  // The resolution of the file. A viewer binds an arrow to the span that is there; one of no length would be
  // none.
  static constexpr double kLeastLength = 0.001;

  // Begins the file. `out` is open while the object lives.
  explicit TraceEvents(std::FILE* out);
  // Ends the file. `events`, `lost`: what it says of how many were recorded.
  void end(std::uint64_t events, std::uint64_t lost);

  void process_name(const Row& row, std::string_view name) { metadata(row, "process_name", "name", name); }
  void thread_name(const Row& row, std::string_view name) { metadata(row, "thread_name", "name", name); }
  void thread_sort_index(const Row& row, std::uint32_t index) {
    metadata(row, "thread_sort_index", "sort_index", index);
  }

  // `category`: the group by which a viewer colours and selects events. write_arguments(JsonWriter&) writes
  // the members of the event's object of details, for a counter those of its values.
  template <typename Write>
  void span(const Row& row, std::string_view name, std::string_view category, double at, double length,
            Write&& write_arguments) {
    begin("X", row, name);
    json_.member("cat", category);
    json_.member("ts", at);
    json_.member("dur", length);
    arguments(write_arguments);
  }
  template <typename Write>
  void instant(const Row& row, std::string_view name, std::string_view category, double at,
               Write&& write_arguments) {
    begin("i", row, name);
    json_.member("cat", category);
    json_.member("s", "t");  // of its thread
    json_.member("ts", at);
    arguments(write_arguments);
  }
  // Counters of a process are known by their names.
  template <typename Write>
  void counter(const Row& row, std::string_view name, double at, Write&& write_arguments) {
    begin("C", row, name);
    json_.member("ts", at);
    arguments(write_arguments);
  }
  void arrow(std::string_view name, std::string_view category, const End& from, const End& to);

  std::uint64_t arrows() const noexcept { return arrows_; }

 private:
  void begin(std::string_view phase, const Row& row, std::string_view name);
  void end_event();
  template <typename Write>
  void arguments(Write&& write) {
    json_.name("args");
    json_.open('{');
    write(json_);
    json_.close('}');
    end_event();
  }
  template <typename T>
  void metadata(const Row& row, std::string_view what, std::string_view argument, const T& value) {
    begin("M", row, what);
    arguments([&](JsonWriter& json) { json.member(argument, value); });
  }
  void arrow_end(std::string_view phase, std::string_view name, std::string_view category, const End& end);

  std::FILE* const out_;
  JsonWriter json_;
  std::uint64_t arrows_ = 0;
};

}  // namespace upcr::observe
