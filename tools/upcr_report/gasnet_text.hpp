// SPDX-License-Identifier: BSD-3-Clause
// Lines of GASNET_TRACEFILE and GASNET_STATSFILE (docs/reference/gasnet.md), as upcr's GASNet interface
// writes them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace upcr_report {

// "1(35df) 0.002506298> (P) PUT: node=0 sz=8 time=11.306 us"
struct GasnetLine {
  unsigned node = 0, thread = 0;  // the thread as its kernel numbers it
  std::int64_t ns = 0;            // since the node's gasnet_init()
  char letter = 0;
  std::string_view name;  // "PUT", "PUT_LOCAL"; of information all of it
  std::string_view rest;  // what follows the name and a colon

  // False: `text` is no such line.
  bool read(std::string_view text);
};

// "node 1 of 2, pid 13791, host n7, clock 5321.123456789 (1764259200.123456789): client": the node's
// gasnet_init() by the host's monotonic clock, and in ns since 1970.
struct GasnetStart {
  unsigned node = 0, nodes = 0;
  std::int64_t monotonic_ns = 0, real_ns = 0;
  std::string host, program;

  bool read(const GasnetLine& line);
};

// What a text begins with.
bool is_gasnet_text(std::string_view text);
// Whether it is of operations, not of counts.
bool is_gasnet_trace(const std::vector<std::string>& texts);

// "sz=8 ": the number that follows `name`, and `otherwise` if there is none.
double number_after(std::string_view text, std::string_view name, double otherwise);

// Calls use(line) for each line of the text that is one.
template <typename Use>
void for_each_gasnet_line(std::string_view text, Use&& use) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    GasnetLine line;
    if (line.read(text.substr(0, end))) use(line);
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace upcr_report
