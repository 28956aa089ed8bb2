// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/endpoint/link_table.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/net/ibv/connect/bytes_per_peer.hpp"
#include "conduits/net/ibv/queues/identifier.hpp"
#include "conduits/net/ibv/queues/wire.hpp"

namespace upcr::ibv {

void LinkTable::open_queues(const Topology& topology, std::span<Device* const> devices, Memory& memory,
                            const Depths& depths, bool iwarp, PacketCheck* sums) {
  rank_ = topology.rank;
  memory_ = &memory;
  depths_ = depths;
  iwarp_ = iwarp;
  xrc_ = depths.sharers != 0;
  for (Device* device : devices) queues_.emplace_back().open(*device, devices, memory, depths);
  hellos_.open(devices, sizeof(Header) + kPacketSumBytes, 1, "connections");
  const Header hello{PacketKind::kHello, 0, 0, topology.rank};
  std::memcpy(hellos_.at(0), &hello, sizeof hello);
  hello_bytes_ = sums != nullptr ? sums->seal(hellos_.at(0), sizeof hello) : sizeof hello;
  ready_.resize(topology.size);
  has_requested_.resize(topology.size);
  static_assert(kLinkBytesPerPeer == sizeof ready_[0] + sizeof has_requested_[0]);
}

void LinkTable::close() {
  connections_.close();
  for (DeviceQueues& queues : queues_) queues.close();
  hellos_.close();
}

bool LinkTable::idle() const noexcept {
  return !events_.any() && pending_connects_.load(std::memory_order_relaxed) == 0 &&
         std::none_of(queues_.begin(), queues_.end(), [](const DeviceQueues& q) { return q.is_busy(); });
}

// -- service thread

void LinkTable::queue_pair_attributes(Device& device, bool made, ibv_qp_init_attr* attributes) {
  DeviceQueues& queues = queues_[device.index()];
  attributes->send_cq = attributes->recv_cq =
      made ? queues.completions_for_queue_pair() : queues.any_completions();
  attributes->srq = queues.srq();
  attributes->cap = xrc_ ? queues.shared_capacities() : queues.capacities();
  attributes->sq_sig_all = 0;
}

// Only the active side posts requests, and nothing arrives that needs a receive.
std::string LinkTable::rail_attributes(Device& device, bool active, ibv_qp_init_attr* attributes) {
  DeviceQueues& queues = queues_[device.index()];
  std::string why;
  ibv_cq* const completions = active ? queues.find_completions(1, &why) : queues.any_completions();
  if (completions == nullptr) return why;
  attributes->send_cq = attributes->recv_cq = completions;
  attributes->cap = queues.capacities();
  attributes->cap.max_recv_wr = 1;
  if (!active) attributes->cap.max_send_wr = 1;
  if (!active) attributes->cap.max_inline_data = 0;
  return "";
}

// A queue pair that connections share is counted once.
void LinkTable::count_completions(const Link& link, const Connection& connection) {
  if (!connection.shared)
    link.completions->add_links(1);
  else if (++sharers_of_[connection.qp] == 1)
    link.completions->add_links(link.queues->links_of_queue_pair());
}

void LinkTable::uncount_completions(const Link& link, const Connection& connection) {
  if (!connection.shared) return link.completions->remove_links(1);
  const auto at = sharers_of_.find(connection.qp);
  if (--at->second != 0) return;
  link.completions->remove_links(link.queues->links_of_queue_pair());
  sharers_of_.erase(at);
}

void LinkTable::prepare(const Connection& connection) {
  DeviceQueues& queues = queues_[connection.device->index()];
  auto owned = std::make_unique<Link>();
  Link& link = *owned;
  link.rank = connection.peer;
  link.connection = connection;
  link.queues = &queues;
  link.completions = static_cast<CompletionQueue*>(connection.qp->send_cq->cq_context);
  count_completions(link, connection);
  link.path = &paths_.of(link.rank);
  link.room = &link.completions->room_of(link.path->index());
  link.flow.open(&link, kMinCredits);
  link.queue.open(depths_.send);
  links_.push_back(std::move(owned));
  link_of_connection_.emplace(&connection, &link);
  if (link.is_rail()) return;
  const ReceiveCapacity capacity = queues.receives().prepare(link);
  events_.add({ConnectionEvent::kPrepared, &link, connection, capacity});
}

namespace {

// A sender that gets RNR, which should not happen, tries again after 0.64 ms; the connection manager
// would leave that at 0.66 s. iWARP has no RNR.
void shorten_rnr_timer(ibv_qp* qp) {
  constexpr std::uint8_t k640us = 12;
  ibv_qp_attr attributes{};
  attributes.min_rnr_timer = k640us;
  (void)::ibv_modify_qp(qp, &attributes, IBV_QP_MIN_RNR_TIMER);
}

}  // namespace

void LinkTable::established(const Connection& connection) {
  Link& link = *link_of_connection_.at(&connection);
  if (!iwarp_ && !connection.shared) shorten_rnr_timer(connection.qp);
  link.remote_srq.store(connection.remote_srq, std::memory_order_release);
  if (connection.speaks_first() && !link.is_rail()) send_hello(link, connection);
  events_.add({ConnectionEvent::kEstablished, &link, connection, {}});
}

void LinkTable::send_hello(Link& link, const Connection& connection) {
  link.hello.link = &link;
  link.hello.kind = OperationKind::kHello;
  ibv_sge piece{reinterpret_cast<std::uintptr_t>(hellos_.at(0)), static_cast<std::uint32_t>(hello_bytes_),
                hellos_.key(link.queues->device())};
  ibv_send_wr request{};
  request.wr_id = identifier(&link.hello);
  request.sg_list = &piece;
  request.num_sge = 1;
  request.opcode = IBV_WR_SEND;
  request.send_flags = IBV_SEND_SIGNALED;
  request.qp_type.xrc.remote_srqn = connection.remote_srq;
  ibv_send_wr* bad = nullptr;
  const int error = ibv_post_send(connection.qp, &request, &bad);
  if (error != 0)
    connections_.report_broken(link.rank, "the first packet to " + connections_.name_of(link.rank) +
                                              " cannot be sent: " + std::strerror(error));
}

void LinkTable::discarded(const Connection& connection) {
  Link& link = *link_of_connection_.at(&connection);
  events_.add({ConnectionEvent::kDiscarded, &link, connection,
               link.is_rail() ? ReceiveCapacity{} : link.queues->receives().discard()});
}

bool LinkTable::drained(const Connection& connection) {
  const auto at = link_of_connection_.find(&connection);
  if (at == link_of_connection_.end()) return true;
  Link& link = *at->second;
  if (closing_.load(std::memory_order_acquire)) {
    uncount_completions(link, connection);
    link_of_connection_.erase(at);
    return true;
  }
  if (!link.drained.load(std::memory_order_acquire)) return false;
  link.queues->receives().release(link);
  uncount_completions(link, connection);
  link_of_connection_.erase(at);  // its address may be used again
  // The hello of one that was discarded in a race may complete later: its Link stays.
  if (link.leaving != Leaving::kNo || link.is_rail())
    std::erase_if(links_, [&link](const std::unique_ptr<Link>& l) { return l.get() == &link; });
  return true;
}

// -- data path

unsigned LinkTable::process_events(ConduitGuard& guard) {
  guard.enter_all();
  const std::vector<ConnectionEvent> all = events_.fetch();
  for (const ConnectionEvent& event : all) {
    Link& link = *event.link;
    if (link.is_rail()) {
      process_rail_event(event);
      continue;
    }
    switch (event.type) {
      case ConnectionEvent::kPrepared:
        link.queues->set_capacity(event.capacity);
        if (!link.ready) candidates_.push_back(&link);
        break;
      case ConnectionEvent::kEstablished:
        link.connection = event.connection;
        if (event.connection.speaks_first() && !link.ready) make_ready(link);
        break;
      case ConnectionEvent::kDiscarded:
        link.queues->set_capacity(event.capacity);
        if (link.ready) link.queues->windows().leave(link.flow);
        link.discarded = true;
        link.ready = false;
        std::erase(candidates_, &link);
        std::erase(leaving_, &link);
        if (ready_[link.rank] == &link) {
          ready_[link.rank] = nullptr;
          --ready_count_;
        }
        note_returned(link);
        break;
    }
  }
  guard.leave();
  return static_cast<unsigned>(all.size());
}

void LinkTable::process_rail_event(const ConnectionEvent& event) {
  Link& rail = *event.link;
  if (event.type == ConnectionEvent::kEstablished) {
    rail.connection = event.connection;
    prepare_flush(rail);
    return rails_.established(rail, ready_[rail.rank]);
  }
  rails_.discarded(rail);
  rail.discarded = true;
  rail.ready = false;
  note_returned(rail);
}

void LinkTable::make_ready(Link& link) {
  const Rank peer = link.rank;
  link.ready = true;
  link.connection.remote_srq = link.remote_srq.load(std::memory_order_acquire);
  ready_count_ += ready_[peer] == nullptr ? 1 : 0;
  ready_[peer] = &link;
  link.queues->windows().join(link.flow);
  std::erase(candidates_, &link);
  if (has_requested_[peer] != 0) pending_connects_.fetch_sub(1, std::memory_order_relaxed);
  has_requested_[peer] = 0;
  prepare_flush(link);
}

void LinkTable::prepare_flush(Link& link) noexcept {
  if (iwarp_)
    (void)memory_->readable_bytes(link.rank, link.connection.remote_device, kFlushBytes, &link.flush_address,
                                  &link.flush_key);
}

Link* LinkTable::find(const DeviceQueues& queues, std::uint32_t queue_pair) noexcept {
  const auto is_it = [&queues, queue_pair](const Link* l) {
    return l != nullptr && l->queues == &queues && l->connection.qp->qp_num == queue_pair;
  };
  if (const auto at = std::find_if(candidates_.begin(), candidates_.end(), is_it); at != candidates_.end())
    return *at;
  const auto at = std::find_if(ready_.begin(), ready_.end(), is_it);
  return at != ready_.end() ? *at : nullptr;
}

// Each device numbers its queue pairs by itself.
Link* LinkTable::find(Rank source, const DeviceQueues& queues, std::uint32_t queue_pair) noexcept {
  if (source >= ready_.size()) return nullptr;
  Link* link = ready_[source];
  if (xrc_) return link != nullptr ? link : candidate(source);
  if (link != nullptr && link->queues == &queues && link->connection.qp->qp_num == queue_pair) return link;
  link = find(queues, queue_pair);
  return link != nullptr && link->rank == source ? link : nullptr;
}

// The service thread has discarded all but the last one.
Link* LinkTable::candidate(Rank source) const noexcept {
  const auto at = std::find_if(candidates_.rbegin(), candidates_.rend(),
                               [source](const Link* l) { return l->rank == source; });
  return at != candidates_.rend() ? *at : nullptr;
}

Status LinkTable::connect(Rank peer) {
  if (has_requested_[peer] == 0) {
    has_requested_[peer] = 1;
    pending_connects_.fetch_add(1, std::memory_order_relaxed);
    connections_.connect(peer);
  }
  return Status::kNoResource;
}

}  // namespace upcr::ibv
