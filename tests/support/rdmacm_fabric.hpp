// SPDX-License-Identifier: BSD-3-Clause
// An InfiniBand fabric with a subnet manager behind the functions of librdmacm and libibverbs that
// connections use: a program that includes this file (in one source) has these instead of the libraries'. As
// rdma_cma.h, the manual pages and sa.h say: a path may be set where the address is resolved and the route is
// not, and counts as its answer; connections use the path that was found or set last.
//
// Hosts have addresses 10.0.SUBNET.HOST, and a GID and a LID for each of them.
#pragma once
#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <vector>

namespace upcr::test {

struct FabricId : rdma_cm_id {
  enum class State { kNew, kAddressKnown, kAsking, kRouteKnown } state = State::kNew;
  ibv_sa_path_rec records[2]{};
  std::uint16_t lid = 0;  // where its path leads to
  unsigned subnet = 0, host = 0;
  bool was_set = false;  // the path
};

class Fabric {
 public:
  std::atomic<int>* questions = nullptr;   // to the subnet manager; may be shared by processes
  bool answers = true;                     // at once; else answer() does
  bool takes_paths = true;                 // the kernel
  bool set_paths_work = true;              // they lead where the subnet manager's do
  std::vector<unsigned char> rejection;    // the peers' private data, if they reject; empty: they accept
  bool silent = false;                     // requests are not answered
  int connect_error = 0;                   // of rdma_connect(); 0: none
  int records = 1;                         // of an answer
  std::map<unsigned, std::uint16_t> lids;  // of hosts
  std::vector<ibv_path_data> set;          // the paths that were set
  unsigned refused = 0;                    // of these
  std::deque<std::pair<ibv_context*, ibv_async_event>> async_events;
  std::vector<ibv_context*> contexts;  // of own ports, one for each subnet
  std::vector<std::uint8_t> numbers;   // of own ports

  std::deque<rdma_cm_event*> events;
  std::vector<FabricId*> asking;

  void report(FabricId* id, rdma_cm_event_type type, int status = 0) {
    auto* event = new rdma_cm_event{};
    event->id = id;
    event->event = type;
    event->status = status;
    if (type == RDMA_CM_EVENT_REJECTED && !rejection.empty()) {
      event->param.conn.private_data = rejection.data();
      event->param.conn.private_data_len = static_cast<std::uint8_t>(rejection.size());
    }
    events.push_back(event);
  }
  void answer() {
    for (FabricId* id : asking) answer(id);
    asking.clear();
  }
  // The subnet manager does not answer the questions that are open.
  void fail() {
    for (FabricId* id : asking) {
      id->state = FabricId::State::kAddressKnown;
      report(id, RDMA_CM_EVENT_ROUTE_ERROR, -ETIMEDOUT);
    }
    asking.clear();
  }
  void answer(FabricId* id) {
    ibv_sa_path_rec& path = id->records[0];
    path.sgid = id->route.addr.addr.ibaddr.sgid;
    path.dgid = id->route.addr.addr.ibaddr.dgid;
    path.pkey = id->route.addr.addr.ibaddr.pkey;
    id->lid = lids[id->host];
    path.dlid = htons(id->lid);
    path.slid = htons(lids[1]);
    path.reversible = 1;
    path.numb_path = 1;
    path.mtu_selector = path.rate_selector = path.packet_life_time_selector = 2;
    path.mtu = 5;
    id->records[1] = path;
    id->route.path_rec = id->records;
    id->route.num_paths = records;
    id->state = FabricId::State::kRouteKnown;
    report(id, RDMA_CM_EVENT_ROUTE_RESOLVED);
  }
};
inline Fabric* fabric = nullptr;

inline FabricId* fabric_id(rdma_cm_id* id) { return static_cast<FabricId*>(id); }
inline ibv_gid fabric_gid(const sockaddr_in& address) {
  ibv_gid gid{};
  gid.raw[0] = 0xfe;
  gid.raw[1] = 0x80;
  std::memcpy(gid.raw + 12, &address.sin_addr, 4);
  return gid;
}
inline int fabric_error(int error) {
  errno = error;
  return -1;
}

}  // namespace upcr::test

// NOLINTBEGIN(misc-definitions-in-headers): for one source
extern "C" {

rdma_event_channel* rdma_create_event_channel() {
  return new rdma_event_channel{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
}
void rdma_destroy_event_channel(rdma_event_channel* channel) {
  ::close(channel->fd);
  delete channel;
}

int rdma_create_id(rdma_event_channel* channel, rdma_cm_id** id, void* context, rdma_port_space space) {
  auto* made = new upcr::test::FabricId{};
  made->channel = channel;
  made->context = context;
  made->ps = space;
  *id = made;
  return 0;
}
int rdma_destroy_id(rdma_cm_id* id) {
  upcr::test::Fabric& fabric = *upcr::test::fabric;
  std::erase_if(fabric.events, [id](rdma_cm_event* event) {
    const bool of_it = event->id == id;
    if (of_it) delete event;
    return of_it;
  });
  std::erase(fabric.asking, upcr::test::fabric_id(id));
  delete upcr::test::fabric_id(id);
  return 0;
}

int rdma_resolve_addr(rdma_cm_id* id, sockaddr* from, sockaddr* to, int) {
  upcr::test::FabricId& of = *upcr::test::fabric_id(id);
  const auto& own = *reinterpret_cast<sockaddr_in*>(from);
  const auto& remote = *reinterpret_cast<sockaddr_in*>(to);
  of.subnet = ntohl(remote.sin_addr.s_addr) >> 8 & 0xff;
  of.host = ntohl(remote.sin_addr.s_addr) & 0xff;
  of.verbs = upcr::test::fabric->contexts[of.subnet];
  of.port_num = upcr::test::fabric->numbers[of.subnet];
  of.route.addr.addr.ibaddr.sgid = upcr::test::fabric_gid(own);
  of.route.addr.addr.ibaddr.dgid = upcr::test::fabric_gid(remote);
  of.route.addr.addr.ibaddr.pkey = htons(0xffff);
  of.state = upcr::test::FabricId::State::kAddressKnown;
  upcr::test::fabric->report(&of, RDMA_CM_EVENT_ADDR_RESOLVED);
  return 0;
}

int rdma_resolve_route(rdma_cm_id* id, int) {
  upcr::test::FabricId& of = *upcr::test::fabric_id(id);
  if (of.state != upcr::test::FabricId::State::kAddressKnown) return upcr::test::fabric_error(EINVAL);
  ++*upcr::test::fabric->questions;
  of.state = upcr::test::FabricId::State::kAsking;
  upcr::test::fabric->asking.push_back(&of);
  if (upcr::test::fabric->answers) upcr::test::fabric->answer();
  return 0;
}

int rdma_set_option(rdma_cm_id* id, int level, int name, void* value, size_t bytes) {
  if (level != RDMA_OPTION_IB) return 0;
  upcr::test::FabricId& of = *upcr::test::fabric_id(id);
  upcr::test::Fabric& fabric = *upcr::test::fabric;
  ibv_path_data path;
  if (!fabric.takes_paths || name != RDMA_OPTION_IB_PATH || bytes != sizeof path ||
      of.state != upcr::test::FabricId::State::kAddressKnown) {
    ++fabric.refused;
    return upcr::test::fabric_error(EINVAL);
  }
  std::memcpy(&path, value, sizeof path);
  fabric.set.push_back(path);
  of.was_set = true;
  of.lid = ntohs(path.path.dlid);
  of.state = upcr::test::FabricId::State::kRouteKnown;
  fabric.report(&of, RDMA_CM_EVENT_ROUTE_RESOLVED);
  return 0;
}

int rdma_connect(rdma_cm_id* id, rdma_conn_param*) {
  upcr::test::FabricId& of = *upcr::test::fabric_id(id);
  upcr::test::Fabric& fabric = *upcr::test::fabric;
  if (of.state != upcr::test::FabricId::State::kRouteKnown) return upcr::test::fabric_error(EINVAL);
  if (fabric.connect_error != 0) return upcr::test::fabric_error(fabric.connect_error);
  if (fabric.silent) return 0;
  const bool taken = std::any_of(fabric.lids.begin(), fabric.lids.end(), [&of](const auto& host) {
    return host.first != of.host && host.second == of.lid;
  });
  if (taken)
    fabric.report(&of, RDMA_CM_EVENT_REJECTED, 8);  // no such service there
  else if (of.lid == fabric.lids[of.host] && !fabric.rejection.empty())
    fabric.report(&of, RDMA_CM_EVENT_REJECTED, 28);  // by the process
  else if (of.lid == fabric.lids[of.host] && (!of.was_set || fabric.set_paths_work))
    fabric.report(&of, RDMA_CM_EVENT_ESTABLISHED);
  else
    fabric.report(&of, RDMA_CM_EVENT_UNREACHABLE, -ETIMEDOUT);
  return 0;
}

int rdma_get_cm_event(rdma_event_channel*, rdma_cm_event** event) {
  if (upcr::test::fabric->events.empty()) return upcr::test::fabric_error(EAGAIN);
  *event = upcr::test::fabric->events.front();
  upcr::test::fabric->events.pop_front();
  return 0;
}
int rdma_ack_cm_event(rdma_cm_event* event) {
  delete event;
  return 0;
}

int ibv_get_async_event(ibv_context* context, ibv_async_event* event) {
  auto& events = upcr::test::fabric->async_events;
  const auto at =
      std::find_if(events.begin(), events.end(), [context](const auto& of) { return of.first == context; });
  if (at == events.end()) return upcr::test::fabric_error(EAGAIN);
  *event = at->second;
  events.erase(at);
  return 0;
}
void ibv_ack_async_event(ibv_async_event*) {}

}  // extern "C"
// NOLINTEND(misc-definitions-in-headers)
