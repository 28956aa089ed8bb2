// SPDX-License-Identifier: BSD-3-Clause
// The rails (connect/rail_connections.hpp) of this process to its peers: asks the service thread for them
// when a large transfer needs them, and closes those that are quiet where there are too many connections.
//
// Memory: a RailSet for each peer with which there has been a large transfer, and a Link for each rail.
//
// Threads: under the conduit's lock and that of the peer's send path, but for usable() and lacks(), which
// need the latter alone, close_quiet(), which needs those of all paths, and open() and report() (main
// thread).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "conduits/net/ibv/queues/link.hpp"
#include "conduits/net/ibv/rails/connection_limits.hpp"
#include "conduits/net/ibv/rails/rail_set.hpp"

namespace upcr::ibv {

class RailTable {
 public:
  // `threshold`: bytes of the smallest transfer that is distributed; SIZE_MAX: none.
  void open(Connections& connections, std::size_t threshold, const ConnectionLimits& limits) noexcept {
    connections_ = &connections;
    threshold_ = threshold;
    limits_ = limits;
  }
  const ConnectionLimits& limits() const noexcept { return limits_; }  // any thread
  bool is_large(std::size_t bytes) const noexcept { return bytes >= threshold_; }

  // Those beside `first`, over which a large transfer is to be distributed now; null: none.
  static RailSet* usable(const Link& first) noexcept {
    return first.rails == nullptr || first.rails->links().empty() ? nullptr : first.rails;
  }
  // Has nobody asked for rails beside `first`?
  static bool lacks(const Link& first) noexcept { return first.rails == nullptr || !first.rails->requested; }
  // Asks for them, unless that has happened already. `connections`: how many first ones there are.
  void request(Link& first, unsigned connections);
  // The service thread has made one. `first`: the connection beside which it is; null: there is none.
  void established(Link& rail, Link* first);
  // It is not used any more: closed here, or it has never been established.
  void discarded(Link& rail) noexcept;

  // How many there are.
  unsigned count() const noexcept { return count_; }
  // Closes the one that has been quiet for longest, and for `quiet` milliseconds. False: there is none.
  bool close_quiet(std::uint32_t now, std::uint32_t quiet);
  // Closes those beside a connection that is about to be closed. False: something is in progress on one.
  bool close_beside(const Link& first);

  // Logs what has been moved by each port. `name_of(port)`: "rxe0:1".
  template <typename NameOf>
  void report(NameOf&& name_of) const {
    for (const auto& [peer, rails] : sets_)
      for (unsigned port = 0; port < kMaxPorts; ++port)
        if (const RailSet::Moved moved = rails->moved(port); moved.parts != 0)
          report_one(peer, name_of(port), moved);
  }

 private:
  void close(Link& rail);
  static void report_one(Rank peer, const std::string& port, const RailSet::Moved& moved);

  Connections* connections_ = nullptr;
  std::size_t threshold_ = SIZE_MAX;
  ConnectionLimits limits_{};
  unsigned count_ = 0;
  std::unordered_map<Rank, std::unique_ptr<RailSet>> sets_;
};

}  // namespace upcr::ibv
