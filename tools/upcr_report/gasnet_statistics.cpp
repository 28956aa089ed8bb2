// SPDX-License-Identifier: BSD-3-Clause
// Statistics of GASNET_STATSFILE as the JSON of docs/observing.md.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/upcr_report/gasnet_report.hpp"
#include "tools/upcr_report/gasnet_text.hpp"
#include "upcr/observe/report/json_text.hpp"

namespace upcr_report {
namespace {

struct Counts {
  std::uint64_t count = 0, bytes = 0, ns = 0;
};

// "PUT    11  avg/min/max/total sz = 11/2/16/122  avg/total time = 1.585/17.436 us"
Counts counts_of(std::string_view rest) {
  const auto last_of = [&](std::string_view name) {
    const std::size_t at = rest.find(name);
    if (at == std::string_view::npos) return 0.0;
    const std::string_view values = rest.substr(at + name.size());
    const std::size_t end = std::min(values.find_first_of(' '), values.size());
    return number_after(values.substr(values.rfind('/', end)), "/", 0);
  };
  return {static_cast<std::uint64_t>(number_after(rest, "", 0)),
          static_cast<std::uint64_t>(last_of("total sz = ")),
          static_cast<std::uint64_t>(std::llround(last_of("total time = ") * 1e3))};
}

std::string kind_of(std::string_view name) {
  std::string kind(name);
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return std::tolower(c); });
  return kind;
}

std::string quoted(std::string_view text) { return '"' + upcr::observe::json_text(text) + '"'; }

std::string operations(const std::map<std::string, Counts>& kinds) {
  std::string text;
  for (const auto& [kind, c] : kinds) {
    text += (text.empty() ? "{" : ",{") + quoted("kind") + ':' + quoted(kind);
    for (const auto& [name, number] : {std::pair("count", c.count), {"bytes", c.bytes}, {"ns", c.ns}})
      text += ',' + quoted(name) + ':' + std::to_string(number);
    text += '}';
  }
  return '[' + text + ']';
}

struct Node {
  std::map<std::string, Counts> kinds;
  std::string host;
  std::int64_t ns = 0;  // of its last line
};

}  // namespace

std::string gasnet_statistics(const std::vector<std::string>& texts) {
  std::map<unsigned, Node> nodes;
  std::map<std::string, Counts> sums;
  std::string program = "a client of GASNet";
  unsigned size = 0;
  for (const std::string& text : texts)
    for_each_gasnet_line(text, [&](const GasnetLine& line) {
      Node& node = nodes[line.node];
      node.ns = std::max(node.ns, line.ns);
      size = std::max(size, line.node + 1);
      if (GasnetStart start; start.read(line)) {
        node.host = start.host;
        size = std::max(size, start.nodes);
        program = start.program.substr(start.program.rfind('/') + 1);
      }
      if (line.letter == 'I') return;
      const std::string kind = kind_of(line.name);
      const Counts c = counts_of(line.rest);
      node.kinds[kind] = c;
      sums[kind].count += c.count;
      sums[kind].bytes += c.bytes;
      sums[kind].ns += c.ns;
    });
  std::string threads;
  for (const auto& [number, node] : nodes) {
    const std::string name = std::to_string(number);
    threads += (threads.empty() ? "{\"thread\":" : ",{\"thread\":") + name + ",\"process\":" + name +
               ",\"host\":" + quoted(node.host) + ",\"ns\":" + std::to_string(node.ns) +
               ",\"operations\":" + operations(node.kinds) + ",\"pairs\":[]}";
  }
  return "{\"format\":\"upcr-stats 1\",\"program\":" + quoted(program) +
         ",\"conduit\":\"GASNet\",\"threads_of_job\":" + std::to_string(size) +
         ",\"complete\":true,\"kinds\":" + operations(sums) + ",\"lines\":[],\"threads\":[" + threads + "]}";
}

}  // namespace upcr_report
