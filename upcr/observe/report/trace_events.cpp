// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/report/trace_events.hpp"

namespace upcr::observe {

TraceEvents::TraceEvents(std::FILE* out) : out_(out) {
  json_.open('{');
  json_.member("displayTimeUnit", "ns");
  json_.name("traceEvents");
  json_.open('[');
  json_.line_end();
}

void TraceEvents::end(std::uint64_t events, std::uint64_t lost) {
  json_.line_end();
  json_.close(']');
  json_.name("otherData");
  json_.open('{');
  json_.member("format", "upcr-trace 1");
  json_.member("events", events);
  json_.member("flows", arrows_);
  json_.member("lost", lost);
  json_.close('}');
  json_.close('}');
  json_.line_end();
  json_.write_to(out_);
}

// Each event is a line.
void TraceEvents::begin(std::string_view phase, const Row& row, std::string_view name) {
  json_.line_end_after_comma();
  json_.open('{');
  json_.member("ph", phase);
  json_.member("pid", row.process);
  json_.member("tid", row.thread);
  json_.member("name", name);
}

void TraceEvents::end_event() {
  json_.close('}');
  json_.write_to(out_);
}

// Its two ends have a number in common.
void TraceEvents::arrow(std::string_view name, std::string_view category, const End& from, const End& to) {
  ++arrows_;
  arrow_end("s", name, category, from);
  end_event();
  arrow_end("f", name, category, to);
  json_.member("bp", "e");  // at the span around it, not at the next one
  end_event();
}

void TraceEvents::arrow_end(std::string_view phase, std::string_view name, std::string_view category,
                            const End& end) {
  begin(phase, end.row, name);
  json_.member("cat", category);
  json_.member("id", arrows_);
  json_.member("ts", end.at);
}

}  // namespace upcr::observe
