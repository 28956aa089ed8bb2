// SPDX-License-Identifier: BSD-3-Clause
#include "bench/scale/startup.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "conduits/core/bootstrap/upcrun/wire.hpp"
#include "tools/upcrun/exchange/collection.hpp"
#include "tools/upcrun/protocol/link.hpp"
#include "tools/upcrun/remote/tree.hpp"

namespace upcr::scale {
namespace {

using upcrun::Collection;
using upcrun::Contribution;
using upcrun::Host;
using wire::Header;
using wire::Type;

constexpr std::size_t kFrame = sizeof(upcrun::Frame) + sizeof(Header);

// One place of the tree: what it has sent and received in one exchange, and when it was done.
struct Place {
  std::uint64_t messages = 0, bytes = 0;
  void count(std::uint64_t message) {
    ++messages;
    bytes += message;
  }
};

class Exchange {
 public:
  Exchange(const Model& model, Rank ranks, unsigned fanout, std::size_t each, StartUp* total)
      : model_(model), ranks_(ranks), fanout_(fanout), each_(each), total_(*total) {}

  bool run(const std::vector<Host>& hosts) {
    Place upcrun;
    Nanos time = 0;
    const Contribution all = collect_parts(upcrun::split_hosts(hosts, fanout_), 0, ranks_, 1, &upcrun, &time);
    total_.time += time;
    finish(upcrun);
    total_.most_messages += most_.messages;
    total_.most_bytes += most_.bytes;
    if (all.bytes.size() != each_ * ranks_) return false;
    for (Rank r = 0; r < ranks_; ++r)
      for (std::size_t i = 0; i < each_; ++i)
        if (all.bytes[r * each_ + i] != byte_of(r, i)) return false;
    return true;
  }

 private:
  static char byte_of(Rank rank, std::size_t i) { return static_cast<char>(rank * 31 + i); }

  void finish(const Place& place) {
    total_.messages += place.messages;
    total_.bytes += place.bytes;
    most_.messages = std::max(most_.messages, place.messages);
    most_.bytes = std::max(most_.bytes, place.bytes);
  }

  // The time to send or receive a message of this size, at one end.
  Nanos cost(std::uint64_t bytes) const {
    return model_.overhead + model_.gap + static_cast<Nanos>(model_.per_byte * static_cast<double>(bytes));
  }

  // upcrun, or a relay. *time: when all has been collected and handed out again.
  Contribution collect_parts(const std::vector<std::vector<Host>>& parts, Rank first, Rank count,
                             unsigned level, Place* place, Nanos* time) {
    total_.levels = std::max(total_.levels, level);
    Collection collection(first, count, ranks_);
    Rank at = first;
    const std::uint64_t reply = kFrame + each_ * ranks_;
    Nanos latest = 0, busy = 0;
    for (const std::vector<Host>& part : parts) {
      const unsigned processes = upcrun::processes_on(part);
      Nanos below = 0;
      const Contribution from = collect_part(part, at, processes, level, &below);
      place->count(kFrame + from.bytes.size());
      place->count(reply);
      latest = std::max(latest, below);
      busy += cost(kFrame + from.bytes.size()) + cost(reply);
      if (!collection.add_range(at - first, processes, from.header, from.bytes).empty()) return {};
      at += processes;
    }
    *time = latest + busy + 2 * model_.latency;
    if (!collection.complete()) return {};
    return collection.take();
  }

  Contribution collect_part(const std::vector<Host>& part, Rank first, unsigned processes, unsigned level,
                            Nanos* time) {
    if (part.size() == 1) return collect_host(first, processes, time);
    std::vector<std::vector<Host>> parts = {{part.front()}};
    for (std::vector<Host>& other : upcrun::split_hosts({part.begin() + 1, part.end()}, fanout_))
      parts.push_back(std::move(other));
    Place relay;
    Contribution all = collect_parts(parts, first, processes, level + 1, &relay, time);
    relay.count(kFrame + all.bytes.size());
    relay.count(kFrame + each_ * ranks_);
    finish(relay);
    return all;
  }

  // An agent: its processes send packets, and get one file (wire::kInFile), or packets of a small table.
  Contribution collect_host(Rank first, unsigned processes, Nanos* time) {
    Collection collection(first, processes, ranks_);
    Place agent;
    const std::uint64_t all_bytes = each_ * ranks_;
    for (unsigned i = 0; i < processes; ++i) {
      std::string mine(each_, '\0');
      for (std::size_t k = 0; k < each_; ++k) mine[k] = byte_of(first + i, k);
      if (!collection.add(i, {Type::kGather, 0, each_}, mine).empty()) return {};
      agent.count(sizeof(Header) + each_);
      agent.count(sizeof(Header) + (all_bytes > wire::kSmallReply ? 0 : all_bytes));
    }
    Contribution all = collection.take();
    agent.count(kFrame + all.bytes.size());
    agent.count(kFrame + all_bytes);
    *time = static_cast<Nanos>(agent.messages) * model_.overhead;
    finish(agent);
    return all;
  }

  const Model& model_;
  const Rank ranks_;
  const unsigned fanout_;
  const std::size_t each_;
  StartUp& total_;
  Place most_;  // of the busiest place; it is the same one in each exchange
};

}  // namespace

StartUp simulate_start(const Model& model, Rank ranks, unsigned fanout) {
  StartUp total;
  std::vector<Host> hosts;
  for (Rank first = 0; first < ranks; first += kRanksPerHost)
    hosts.push_back({"n" + std::to_string(hosts.size()), std::min<unsigned>(kRanksPerHost, ranks - first)});
  total.hosts = static_cast<unsigned>(hosts.size());
  total.right = true;
  for (const SharedTable& table : kSharedTables) {
    total.right &= Exchange(model, ranks, fanout, table.bytes, &total).run(hosts);
    total.host_bytes += table.bytes * ranks;
  }
  return total;
}

}  // namespace upcr::scale
