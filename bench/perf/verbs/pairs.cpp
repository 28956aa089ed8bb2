// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/verbs/pairs.hpp"

#include <sched.h>

namespace perf {
namespace {

// Whether there are fewer CPUs than threads, counted on one host; on several hosts yielding costs little.
bool oversubscribed(const ThreadTeam& team) {
  cpu_set_t mine;
  return sched_getaffinity(0, sizeof mine, &mine) == 0 &&
         static_cast<ThreadTeam::Thread>(CPU_COUNT(&mine)) < team.threads();
}

}  // namespace

// All threads return a reason, or none does; the texts may differ.
std::string verbs_obstacle(const ThreadTeam& team, const VerbsPort& port) {
  if (!team.has_partner() || !team.partner_in_other_process()) return "it takes two processes";
  if (!team.all(!port.device.empty()))
    return !port.reason.empty() ? port.reason : "no RDMA device where another thread runs";
  if (team.value_of_leader(team.target_here() != nullptr) != 0)
    return "the partner's memory is mapped: UPCR_PSHM=no makes it another's";
  return {};
}

// In each pair one thread listens and the other connects. The pairs do so one after the other, because all
// threads take part when an address is handed over. Both may block in rdma_cm: no thread needs the runtime
// meanwhile.
void connect_pairs(const ThreadTeam& team, const Pairs& pairs, const VerbsPort& port, VerbsLink& link) {
  if (oversubscribed(team)) link.yield_early();
  for (ThreadTeam::Thread leader = 0; leader < team.threads(); ++leader) {
    if (!pairs.leads(leader)) continue;
    sockaddr_in address{};
    if (team.me() == leader) address = link.listen(port);
    const std::uint64_t word =
        team.value_of(leader, std::uint64_t{address.sin_addr.s_addr} << 16 | address.sin_port);
    if (team.me() == leader) {
      link.accept();
    } else if (pairs.participates() && pairs.peer() == leader) {
      address.sin_family = AF_INET;
      address.sin_addr.s_addr = static_cast<in_addr_t>(word >> 16);
      address.sin_port = static_cast<in_port_t>(word & 0xffff);
      link.connect(port, address);
    }
    team.barrier();
  }
}

}  // namespace perf
