// SPDX-License-Identifier: BSD-3-Clause
// The routes of this process's attempts by librdmacm. On InfiniBand rdma_resolve_route() asks the subnet
// manager, which serves all hosts, so the path found is kept for all processes of the host (path_table.hpp)
// and set for the next attempts between the two ports. Everywhere else each attempt resolves its route, which
// asks nobody.
//
// A path that did not work is not kept any more, so the next attempt asks. The kernel repeats a request for
// long, so once for each peer an attempt whose path was set fails after a third of the time that it has.
// Where the kernel or librdmacm does not take paths, or none of the first kMostFailures that were set worked,
// this process keeps to resolving. Service thread.
#pragma once
#include <rdma/rdma_cma.h>

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conduits/net/ibv/connector/connector.hpp"
#include "conduits/net/ibv/device/ports.hpp"
#include "conduits/net/ibv/rdmacm/path_table.hpp"

namespace upcr::ibv {

class RouteFinder {
 public:
  // An attempt that has waited for another one's answer for so long asks as well.
  static constexpr Millis kWaitLimit = PathTable::kClaimLimit + 1'000;
  static constexpr unsigned kMostFailures = 3;

  // `shared`: PathTable::bytes_for(), zero at first, the same memory for all processes of the host; none:
  // nothing is kept. `traffic_class`: of all attempts. `limit`: of the time until a connection is made.
  RouteFinder(std::span<const Port> ports, std::span<std::byte> shared,
              std::optional<std::uint8_t> traffic_class, Millis limit);

  // The attempt's address is resolved: RDMA_CM_EVENT_ROUTE_RESOLVED or _ERROR follows. Returns an empty text,
  // or what has gone wrong.
  std::string find(ConnectLink& link, Millis now);
  // Each of the following may be called for any link, known or not.
  void found(ConnectLink& link, Millis now);  // its route is resolved
  void reached_peer(ConnectLink& link);       // the peer has answered
  bool failed(ConnectLink& link);             // true: with a path that was kept before, and is not any more
  void release(ConnectLink& link);            // its identifier will be destroyed

  // The subnet manager may have changed the paths from this port.
  void drop_paths(unsigned port);

  // When look() is to be called at the latest.
  Millis due() const noexcept;
  // Goes on with attempts that wait, if there are answers. Returns those that have failed.
  struct Failure {
    ConnectLink* link;
    std::string why;
    bool kept_path = false;  // as failed()
  };
  std::vector<Failure> look(Millis now);

 private:
  enum class Step : std::uint8_t { kWaiting, kAsking, kSet };
  struct Attempt {
    ConnectLink* link;
    PathKey key;
    Step step = Step::kWaiting;
    PathTable::Claim claim = PathTable::kNoClaim;  // kAsking
    ibv_path_record path{};                        // kSet
    Millis limit = kNever;                         // of the step
  };
  std::optional<PathKey> key_of(const ConnectLink& link) const;
  std::string go_on(Attempt& attempt, Millis now);
  std::string resolve(Attempt& attempt);
  bool set_path(const ConnectLink& link, const ibv_path_record& path);
  Attempt* attempt_of(const ConnectLink& link);
  void forget(const Attempt& attempt);
  void plan_look(Millis now);

  std::span<const Port> ports_;
  std::uint16_t traffic_class_;  // PathKey's
  Millis reply_limit_;
  bool keeps_paths_ = false;
  PathTable paths_;
  std::vector<Attempt> attempts_;                       // until the peer has answered, or they have failed
  std::vector<std::pair<unsigned, ibv_gid>> own_gids_;  // of ports with paths in the table
  std::set<Rank> silent_;                               // peers that did not reply in time
  Millis look_at_ = kNever, pause_ = 0;                 // for answers
  unsigned failures_ = 0;                               // with paths that were set, while none has worked
  bool has_worked_ = false;
};

}  // namespace upcr::ibv
