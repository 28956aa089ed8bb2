// SPDX-License-Identifier: BSD-3-Clause
// Statistics of GASNet clients as the JSON of docs/observing.md: from GASNET_STATSFILE the counts of each
// node, from GASNET_TRACEFILE sizes and pairs too.
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
#include "upcr/observe/block.hpp"
#include "upcr/observe/report/json_text.hpp"

namespace upcr_report {
namespace {

struct Counts {
  std::uint64_t count = 0, bytes = 0, ns = 0;
  std::map<unsigned, std::uint64_t> sizes;  // by upcr::observe::bucket_of(); empty: not known

  void add(const Counts& c) {
    count += c.count;
    bytes += c.bytes;
    ns += c.ns;
    for (const auto& [bucket, number] : c.sizes) sizes[bucket] += number;
  }
};
using Kinds = std::map<std::string, Counts>;

struct Node {
  Kinds counted;                    // in statistics
  Kinds traced;                     // in a trace, of which there may be one for the same job
  std::map<unsigned, Kinds> pairs;  // of it: by the other node
  std::int64_t ns = 0;              // of its last line
  bool ended = false;

  const Kinds& kinds() const { return counted.empty() ? traced : counted; }
};

// What is beyond any count is damage.
std::uint64_t to_count(double number) {
  return number < 1e18 ? static_cast<std::uint64_t>(std::llround(number)) : 0;
}

// "PUT    11  avg/min/max/total sz = 11/2/16/122  avg/total time = 1.585/17.436 us"
Counts counts_of(std::string_view rest) {
  // The last of the numbers between slashes that follow `name`.
  const auto last_of = [&](std::string_view name) {
    const std::size_t at = std::min(rest.find(name), rest.size());
    std::string_view values = rest.substr(std::min(at + name.size(), rest.size()));
    values = values.substr(0, values.find(' '));
    const std::size_t slash = values.rfind('/');
    return slash != values.npos ? number_after(values.substr(slash), "/", 0) : 0.0;
  };
  return {to_count(number_after(rest, "", 0)),
          to_count(last_of("total sz = ")),
          to_count(last_of("total time = ") * 1e3),
          {}};
}

// "PUT: node=0 sz=8 time=11.306 us"
Counts counts_of_operation(std::string_view rest) {
  Counts c{1, to_count(number_after(rest, "sz=", 0)), to_count(number_after(rest, "time=", 0) * 1e3), {}};
  if (rest.find("sz=") != rest.npos) c.sizes[upcr::observe::bucket_of(c.bytes)] = 1;
  return c;
}

// "PUT" and "PUT_LOCAL" are "put".
std::string kind_of(std::string_view name) {
  std::string kind(name.substr(0, name.rfind("_LOCAL")));
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return std::tolower(c); });
  return kind;
}
bool reads(std::string_view kind) { return kind.starts_with("get"); }
bool writes(std::string_view kind) { return kind.starts_with("put") || kind.starts_with("memset"); }
bool is_message(std::string_view kind) {
  return kind.starts_with("amrequest") || kind.starts_with("amreply");
}

void add(Node& node, const GasnetLine& line) {
  node.ns = std::max(node.ns, line.ns);
  node.ended = node.ended || line.is_end();
  const std::string kind = kind_of(line.name);
  if (line.is_count()) node.counted[kind] = counts_of(line.rest);
  if (!line.is_operation()) return;
  const Counts one = counts_of_operation(line.rest);
  node.traced[kind].add(one);
  const double other = number_after(line.rest, "node=", -1);
  if (other >= 0 && other < 1e9 && (reads(kind) || writes(kind) || is_message(kind)))
    node.pairs[static_cast<unsigned>(other)][kind].add(one);
}

std::string quoted(std::string_view text) { return '"' + upcr::observe::json_text(text) + '"'; }

// ,"name":number, where it is not 0.
std::string member(std::string_view name, std::uint64_t number) {
  return number == 0 ? "" : ',' + quoted(name) + ':' + std::to_string(number);
}

std::string sizes_member(const Counts& c) {
  std::string text;
  for (const auto& [bucket, number] : c.sizes)
    text += (text.empty() ? "" : ",") +
            quoted(std::to_string(bucket == 0 ? 0 : std::uint64_t{1} << (bucket - 1))) + ':' +
            std::to_string(number);
  return c.bytes == 0 || text.empty() ? "" : ",\"sizes\":{" + text + '}';
}

std::string operations(const Kinds& kinds) {
  std::string text;
  for (const auto& [kind, c] : kinds)
    text += (text.empty() ? "" : ",") + ("{\"kind\":" + quoted(kind)) +
            ",\"count\":" + std::to_string(c.count) + member("bytes", c.bytes) + member("ns", c.ns) +
            sizes_member(c) + '}';
  return '[' + text + ']';
}

std::string directions(const Counts& read, const Counts& written) {
  return member("reads", read.count) + member("read_bytes", read.bytes) + member("writes", written.count) +
         member("written_bytes", written.bytes) + member("ns", read.ns + written.ns);
}

std::string pairs(const Node& node) {
  std::string text;
  for (const auto& [other, kinds] : node.pairs) {
    Counts read, written;
    std::string each;
    for (const auto& [kind, c] : kinds) {
      if (reads(kind)) read.add(c);
      if (writes(kind)) written.add(c);
      each += (each.empty() ? "" : ",") + ("{\"kind\":" + quoted(kind)) +
              (is_message(kind) ? member("count", c.count) + member("bytes", c.bytes)
                                : directions(reads(kind) ? c : Counts{}, writes(kind) ? c : Counts{})) +
              '}';
    }
    Counts both = read;
    both.add(written);
    text += (text.empty() ? "" : ",") + ("{\"thread\":" + std::to_string(other)) + directions(read, written) +
            sizes_member(both) + ",\"kinds\":[" + each + "]}";
  }
  return '[' + text + ']';
}

}  // namespace

std::string gasnet_statistics(const std::vector<std::string>& texts) {
  const std::map<unsigned, GasnetStart> starts = gasnet_starts(texts);
  std::map<unsigned, Node> nodes;
  for (const std::string& text : texts)
    for_each_gasnet_line(text, [&](const GasnetLine& line) { add(nodes[line.node], line); });
  Kinds sums;
  std::uint64_t size = nodes.empty() ? 0 : std::uint64_t{nodes.rbegin()->first} + 1;
  // A mask without information leaves out what would tell.
  bool complete = true;
  for (const auto& [number, node] : nodes) {
    complete = complete && (node.ended || starts.empty());
    for (const auto& [kind, c] : node.kinds()) sums[kind].add(c);
  }
  std::string program = "a client of GASNet";
  if (!starts.empty()) {
    const GasnetStart& first = starts.begin()->second;
    program = first.program.substr(first.program.rfind('/') + 1);
    size = std::max<std::uint64_t>(size, first.nodes);
    complete = complete && nodes.size() == size;
  }
  std::string threads;
  for (const auto& [number, node] : nodes) {
    const std::string name = std::to_string(number);
    const auto start = starts.find(number);
    threads += (threads.empty() ? "{\"thread\":" : ",{\"thread\":") + name + ",\"process\":" + name +
               ",\"host\":" + quoted(start != starts.end() ? start->second.host : "") +
               ",\"ns\":" + std::to_string(node.ns) + ",\"operations\":" + operations(node.kinds()) +
               ",\"pairs\":" + pairs(node) + '}';
  }
  return "{\"format\":\"upcr-stats 1\",\"program\":" + quoted(program) +
         ",\"conduit\":\"GASNet\",\"threads_of_job\":" + std::to_string(size) +
         ",\"threads_are\":\"nodes\",\"complete\":" + (complete ? "true" : "false") +
         ",\"kinds\":" + operations(sums) + ",\"lines\":[],\"threads\":[" + threads + "]}";
}

}  // namespace upcr_report
