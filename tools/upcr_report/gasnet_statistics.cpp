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
#include "upcr/observe/report/json_writer.hpp"

namespace upcr_report {
namespace {

using upcr::observe::JsonWriter;

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

void write_sizes(JsonWriter& json, const Counts& c) {
  if (c.bytes == 0 || c.sizes.empty()) return;
  json.name("sizes");
  json.open('{');
  for (const auto& [bucket, number] : c.sizes)
    json.member(std::to_string(upcr::observe::least_of_bucket(bucket)), number);
  json.close('}');
}

void write_operations(JsonWriter& json, const char* name, const Kinds& kinds) {
  json.name(name);
  json.open('[');
  for (const auto& [kind, c] : kinds) {
    json.open('{');
    json.member("kind", kind);
    json.member("count", c.count);
    json.count("bytes", c.bytes);
    json.count("ns", c.ns);
    write_sizes(json, c);
    json.close('}');
  }
  json.close(']');
}

void write_directions(JsonWriter& json, const Counts& read, const Counts& written) {
  json.count("reads", read.count);
  json.count("read_bytes", read.bytes);
  json.count("writes", written.count);
  json.count("written_bytes", written.bytes);
  json.count("ns", read.ns + written.ns);
}

void write_pair_kind(JsonWriter& json, const std::string& kind, const Counts& c) {
  json.open('{');
  json.member("kind", kind);
  if (is_message(kind)) {
    json.count("count", c.count);
    json.count("bytes", c.bytes);
  } else {
    write_directions(json, reads(kind) ? c : Counts{}, writes(kind) ? c : Counts{});
  }
  json.close('}');
}

void write_pair(JsonWriter& json, unsigned other, const Kinds& kinds) {
  Counts read, written;
  for (const auto& [kind, c] : kinds) {
    if (reads(kind)) read.add(c);
    if (writes(kind)) written.add(c);
  }
  Counts both = read;
  both.add(written);
  json.open('{');
  json.member("thread", other);
  write_directions(json, read, written);
  write_sizes(json, both);
  json.name("kinds");
  json.open('[');
  for (const auto& [kind, c] : kinds) write_pair_kind(json, kind, c);
  json.close(']');
  json.close('}');
}

void write_node(JsonWriter& json, unsigned number, const std::string& host, const Node& node) {
  json.open('{');
  json.member("thread", number);
  json.member("process", number);
  json.member("host", host);
  json.member("ns", node.ns);
  write_operations(json, "operations", node.kinds());
  json.name("pairs");
  json.open('[');
  for (const auto& [other, kinds] : node.pairs) write_pair(json, other, kinds);
  json.close(']');
  json.close('}');
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
  JsonWriter json;
  json.open('{');
  json.member("format", "upcr-stats 1");
  json.member("program", program);
  json.member("conduit", "GASNet");
  json.member("threads_of_job", size);
  json.member("threads_are", "nodes");
  json.member("complete", complete);
  write_operations(json, "kinds", sums);
  json.name("lines");
  json.open('[');
  json.close(']');
  json.name("threads");
  json.open('[');
  for (const auto& [number, node] : nodes) {
    const auto start = starts.find(number);
    write_node(json, number, start != starts.end() ? start->second.host : "", node);
  }
  json.close(']');
  json.close('}');
  return json.text();
}

}  // namespace upcr_report
