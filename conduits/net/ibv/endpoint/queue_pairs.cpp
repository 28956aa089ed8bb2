// SPDX-License-Identifier: BSD-3-Clause
// Queue pairs come and go: what the service thread asks for and says, and what the data path makes of it.
//
// The active side sends the first packet as soon as it can, from the service thread: the passive side may not
// send before that (iWARP), and its peer may be computing. So a link is ready at the active side when it is
// established, at the passive one when its first packet has arrived.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/net/ibv/endpoint/conduit.hpp"
#include "conduits/net/ibv/queues/identifier.hpp"

namespace upcr::ibv {

// -- service thread

void IbvConduit::queue_pair_attributes(Device& device, ibv_qp_init_attr* attributes) {
  const DeviceQueues& queues = queues_[device.index()];
  attributes->send_cq = attributes->recv_cq = queues.completions();
  attributes->srq = queues.srq();
  attributes->cap = queues.capacities();
  attributes->sq_sig_all = 0;
}

void IbvConduit::prepare(const Connection& connection) {
  DeviceQueues& queues = queues_[connection.device->index()];
  if (link_of_qp_.size() >= queues.most_links())
    fatal(
        "%s: the completion queue has room for %u connections with %u receive buffers each; take a lower "
        "UPCR_IBV_RECEIVES",
        connection.device->name(), queues.most_links(), receives_for(depths_.window));
  auto owned = std::make_unique<Link>();
  Link& link = *owned;
  link.connection = connection;
  link.queues = &queues;
  link.credits.open(depths_.window);
  link.queue.open(depths_.send);
  queues.receives().prepare(link);
  all_links_.push_back(std::move(owned));
  link_of_qp_.emplace(connection.qp, &link);
  connection_events_.add({ConnectionEvent::kPrepared, &link, connection});
}

// A peer that finds no receive buffer, which should not be, tries again after 0.64 ms; the connection manager
// leaves that at 0.66 s. iWARP has nothing of the kind.
static void shorten_receiver_not_ready(ibv_qp* qp) {
  constexpr std::uint8_t k640us = 12;
  ibv_qp_attr attributes{};
  attributes.min_rnr_timer = k640us;
  (void)::ibv_modify_qp(qp, &attributes, IBV_QP_MIN_RNR_TIMER);
}

void IbvConduit::established(const Connection& connection) {
  Link& link = *link_of_qp_.at(connection.qp);
  if (!iwarp_) shorten_receiver_not_ready(connection.qp);
  if (connection.active) send_hello(link);
  connection_events_.add({ConnectionEvent::kEstablished, &link, connection});
}

// All hellos are alike: one packet serves for all.
void IbvConduit::send_hello(Link& link) {
  link.hello.link = &link;
  link.hello.what = What::kHello;
  ibv_sge piece{reinterpret_cast<std::uintptr_t>(hellos_.at(0)),
                static_cast<std::uint32_t>(sizeof(Head) + extra_bytes_), hellos_.key(link.queues->device())};
  ibv_send_wr request{};
  request.wr_id = identifier(&link.hello);
  request.sg_list = &piece;
  request.num_sge = 1;
  request.opcode = IBV_WR_SEND;
  request.send_flags = IBV_SEND_SIGNALED;
  ibv_send_wr* bad = nullptr;
  const int error = ibv_post_send(link.connection.qp, &request, &bad);
  if (error != 0)
    connections_.broken(link.connection.peer, "the first packet to " +
                                                  connections_.name_of(link.connection.peer) +
                                                  " cannot be sent: " + std::strerror(error));
}

void IbvConduit::discarded(const Connection& connection) {
  Link& link = *link_of_qp_.at(connection.qp);
  connection_events_.add({ConnectionEvent::kDiscarded, &link, connection});
}

bool IbvConduit::drained(const Connection& connection) {
  const auto at = link_of_qp_.find(connection.qp);
  if (at == link_of_qp_.end()) return true;
  Link& link = *at->second;
  if (closing_.load(std::memory_order_acquire)) {
    link_of_qp_.erase(at);
    return true;
  }
  if (!link.drained.load(std::memory_order_acquire)) return false;
  link.queues->receives().release(link);
  link_of_qp_.erase(at);  // the queue pair's address may come again; the Link stays
  return true;
}

// Connections that are being made have a deadline of their own.
bool IbvConduit::busy(const Device& device) { return queues_[device.index()].is_busy(); }

// -- data path

unsigned IbvConduit::take_connection_events() {
  const std::vector<ConnectionEvent> all = connection_events_.fetch();
  for (const ConnectionEvent& news : all) {
    Link& link = *news.link;
    switch (news.what) {
      case ConnectionEvent::kPrepared:
        if (!link.ready) candidates_.push_back(&link);
        break;
      case ConnectionEvent::kEstablished:
        link.connection = news.connection;
        if (news.connection.active && !link.ready) make_ready(link);
        break;
      case ConnectionEvent::kDiscarded:
        link.gone = true;
        link.ready = false;
        std::erase(candidates_, &link);
        if (links_[link.connection.peer] == &link) links_[link.connection.peer] = nullptr;
        note_return(link);
        break;
    }
  }
  return static_cast<unsigned>(all.size());
}

void IbvConduit::make_ready(Link& link) {
  const Connection& c = link.connection;
  link.ready = true;
  links_[c.peer] = &link;
  std::erase(candidates_, &link);
  if (has_asked_[c.peer]) asked_.store(asked_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  has_asked_[c.peer] = false;
  if (iwarp_) (void)memory_.readable_word(c.peer, c.remote_device, &link.flush_address, &link.flush_key);
}

// Something that was posted on a discarded link has come back.
void IbvConduit::note_return(Link& link) noexcept {
  if (link.gone && link.receives_out == 0) link.drained.store(true, std::memory_order_release);
}

Link* IbvConduit::link_of(const DeviceQueues& queues, std::uint32_t queue_pair) noexcept {
  const auto is_it = [&queues, queue_pair](const Link* l) {
    return l != nullptr && l->queues == &queues && l->connection.qp->qp_num == queue_pair;
  };
  if (const auto at = std::find_if(candidates_.begin(), candidates_.end(), is_it); at != candidates_.end())
    return *at;
  const auto at = std::find_if(links_.begin(), links_.end(), is_it);
  return at != links_.end() ? *at : nullptr;
}

// Of a packet out of the shared receive queue of a device, which numbers its queue pairs by itself.
Link* IbvConduit::link_of(Rank source, const DeviceQueues& queues, std::uint32_t queue_pair) noexcept {
  if (source >= links_.size()) return nullptr;
  Link* link = links_[source];
  if (link != nullptr && link->queues == &queues && link->connection.qp->qp_num == queue_pair) return link;
  link = link_of(queues, queue_pair);
  return link != nullptr && link->connection.peer == source ? link : nullptr;
}

// There is no connection yet.
Status IbvConduit::ask(Rank to) {
  if (!has_asked_[to]) {
    has_asked_[to] = true;
    asked_.store(asked_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    connections_.connect(to);
  }
  return Status::kNoResource;
}

}  // namespace upcr::ibv
