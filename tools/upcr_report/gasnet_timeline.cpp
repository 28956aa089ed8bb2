// SPDX-License-Identifier: BSD-3-Clause
// A timeline in the Trace Event Format from GASNET_TRACEFILE: a row for each thread of each node, a span for
// each operation, arrows from messages to their handlers.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/upcr_report/gasnet_report.hpp"
#include "tools/upcr_report/gasnet_text.hpp"
#include "upcr/observe/report/trace_events.hpp"

namespace upcr_report {
namespace {

using upcr::observe::JsonWriter;
using upcr::observe::TraceEvents;

const char* category(char letter) noexcept {
  switch (letter) {
    case 'G':
    case 'P':
      return "access";
    case 'S':
    case 'B':
      return "synchronisation";
    case 'W':
      return "collective";
    case 'L':
      return "lock";
    default:
      return "message";
  }
}

// Where the nodes' clocks stand: nodes of one host have one, those of hosts are compared by their time of
// day.
class Clocks {
 public:
  explicit Clocks(const std::map<unsigned, GasnetStart>& nodes) : nodes_(nodes) {
    for (const auto& [node, start] : nodes_) {
      const auto offset = hosts_.try_emplace(start.host, start.real_ns - start.monotonic_ns).first->second;
      starts_[node] = start.monotonic_ns + offset;
      zero_ = starts_.size() == 1 ? starts_[node] : std::min(zero_, starts_[node]);
    }
  }
  // Microseconds of the timeline. A node whose start is not known is taken for one that started first.
  double at(const GasnetLine& line) const {
    const auto found = starts_.find(line.node);
    const std::int64_t start = found != starts_.end() ? found->second - zero_ : 0;
    return static_cast<double>(start + line.ns) / 1e3;
  }
  std::string host(unsigned node) const {
    const auto found = nodes_.find(node);
    return found != nodes_.end() ? " on " + found->second.host : "";
  }

 private:
  const std::map<unsigned, GasnetStart> nodes_;
  std::map<std::string, std::int64_t> hosts_;
  std::map<unsigned, std::int64_t> starts_;
  std::int64_t zero_ = 0;
};

// Messages that one node sends to another, of one category, requests or replies: they arrive in their order.
using Channel = std::tuple<unsigned, unsigned, char, bool>;  // from, to, S, M or L, reply
struct Flow {
  std::vector<TraceEvents::End> sent, handled;
};

class Timeline {
 public:
  Timeline(std::FILE* out, const Clocks& clocks) : out_(out), clocks_(clocks) {}
  void add(const GasnetLine& line) {
    if (!line.is_operation()) return;
    const TraceEvents::Row row{line.node, line.thread};
    names(row);
    const double length = std::max(number_after(line.rest, "time=", 0), TraceEvents::kLeastLength);
    // A line has the time of the operation's end.
    const double at = std::max(clocks_.at(line) - length, 0.0);
    const double other = number_after(line.rest, "node=", -1);
    const std::string_view function = function_of(line.rest);
    out_.span(row, line.name, category(line.letter), at, length, [&](JsonWriter& json) {
      json.member("bytes", to_count(number_after(line.rest, "sz=", 0)));
      if (other >= 0) json.member("node", to_count(other));
      if (!function.empty()) json.member("function", function);
    });
    ++events_;
    if (line.letter == 'A' && other >= 0) add_flow_end(line, static_cast<unsigned>(to_count(other)), at);
  }
  std::uint64_t end() {
    for (const auto& [channel, flow] : flows_)
      for (std::size_t i = 0; i < std::min(flow.sent.size(), flow.handled.size()); ++i)
        out_.arrow("message", "message", flow.sent[i], flow.handled[i]);
    out_.end(events_, 0);
    return events_;
  }

 private:
  void names(const TraceEvents::Row& row) {
    if (!rows_.insert({row.process, row.thread}).second) return;
    out_.process_name(row, "node " + std::to_string(row.process) + clocks_.host(row.process));
    char thread[32];
    std::snprintf(thread, sizeof thread, "thread %x", row.thread);
    out_.thread_name(row, thread);
  }
  // The word before the first "name=".
  static std::string_view function_of(std::string_view rest) {
    const std::size_t from = std::min(rest.find_first_not_of(' '), rest.size());
    const std::string_view word = rest.substr(from, rest.find(' ', from) - from);
    return word.find('=') == std::string_view::npos ? word : "";
  }
  void add_flow_end(const GasnetLine& line, unsigned other, double at) {
    const std::size_t from = line.name.find_first_of('_') + 1;
    const bool handled = line.name.ends_with("_HANDLER");
    const bool reply = handled ? function_of(line.rest) == "reply" : line.name.starts_with("AMREPLY");
    const char category = from < line.name.size() ? line.name[from] : '\0';
    Flow& flow = flows_[{handled ? other : line.node, handled ? line.node : other, category, reply}];
    (handled ? flow.handled : flow.sent).push_back({{line.node, line.thread}, at});
  }

  TraceEvents out_;
  const Clocks& clocks_;
  std::uint64_t events_ = 0;
  std::set<std::pair<unsigned, unsigned>> rows_;
  std::map<Channel, Flow> flows_;
};

}  // namespace

std::uint64_t write_gasnet_timeline(const std::vector<std::string>& texts, std::FILE* out) {
  const Clocks clocks(gasnet_starts(texts));
  Timeline timeline(out, clocks);
  for (const std::string& text : texts)
    for_each_gasnet_line(text, [&](const GasnetLine& line) { timeline.add(line); });
  return timeline.end();
}

}  // namespace upcr_report
