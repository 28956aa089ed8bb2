// SPDX-License-Identifier: BSD-3-Clause
// Lines of GASNET_TRACEFILE and GASNET_STATSFILE (docs/reference/gasnet.md), as upcr's GASNet interface
// writes them.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace upcr_report {

// "1(35df) 0.002506298> (P) PUT: node=0 sz=8 time=11.306 us" of a trace,
// "1(35df) 0.002842820> (P) PUT   11  avg/min/max/total sz = 11/2/16/122  avg/total time = 1.585/17.436 us"
// of statistics, "1(35df) 0.000097054> (I) node 1 of 2, ..." of either.
struct GasnetLine {
  unsigned node = 0, thread = 0;  // the thread as its kernel numbers it
  std::int64_t ns = 0;            // since the node's gasnet_init()
  char letter = 0;
  std::string_view name;  // "PUT", "PUT_LOCAL"; of information all of it
  std::string_view rest;  // what follows the name and a colon

  // False: `text` is no such line.
  bool read(std::string_view text);
  bool is_information() const noexcept { return letter == 'I'; }
  bool is_operation() const noexcept { return !is_information() && rest.find(" time=") != rest.npos; }
  bool is_count() const noexcept { return !is_information() && rest.find("/total time = ") != rest.npos; }
  // The node has written all that it had to.
  bool is_end() const noexcept { return is_information() && name == "end"; }
};

// "node 1 of 2, pid 13791, host n7, clock 5321.123456789 (1764259200.123456789): client": the node's
// gasnet_init() by the host's monotonic clock, and in ns since 1970.
struct GasnetStart {
  unsigned node = 0, nodes = 0, pid = 0;
  std::int64_t monotonic_ns = 0, real_ns = 0;
  std::string host, program;

  bool read(const GasnetLine& line);
};

// Whether one of its first lines is such a line.
bool is_gasnet_text(std::string_view text);
// Whether there are operations in it.
bool is_gasnet_trace(const std::vector<std::string>& texts);

// Where each node stands; throws std::runtime_error where a node has started more than once, as in texts of
// two jobs.
std::map<unsigned, GasnetStart> gasnet_starts(const std::vector<std::string>& texts);

// "sz=8 ": the number, 0 or more, that follows `name`, and `otherwise` if there is none.
double number_after(std::string_view text, std::string_view name, double otherwise);
// Such a number as a count. What is beyond any count is damage: 0.
std::uint64_t to_count(double number);

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
