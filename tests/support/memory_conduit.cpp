// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/memory_conduit.hpp"

#include <cstring>
#include <utility>

namespace upcr::test {

WirePacket WirePacket::of(Rank source, const AmPacket& p) {
  WirePacket w{source, p.head, std::vector<std::uint32_t>(p.args, p.args + p.head.nargs), {}};
  w.payload.resize((p.prefix_bytes + p.body_bytes + 7) / 8);
  auto* to = reinterpret_cast<char*>(w.payload.data());
  if (p.prefix_bytes != 0) std::memcpy(to, p.prefix, p.prefix_bytes);
  if (p.body_bytes != 0) std::memcpy(to + p.prefix_bytes, p.body, p.body_bytes);
  return w;
}

class MemoryConduit final : public Conduit {
 public:
  MemoryConduit(MemoryNet& net, Rank rank) : net_(net), rank_(rank) {
    caps_.max_medium = net.options_.max_medium;
    caps_.max_bulk = net.options_.max_bulk;
    caps_.shares_memory_only = true;
  }
  const char* name() const noexcept override { return "memory"; }
  Status attach(const AttachInfo&) override { return Status::kOk; }
  Status am_send(Rank to, const AmPacket& packet) override { return net_.send(rank_, to, packet); }
  Status am_send_bulk(Rank to, const AmPacket& packet, Pending& local) override {
    return net_.send(rank_, to, packet, &local);
  }
  unsigned poll(unsigned budget, AmSink& sink) override {
    const bool requests_too = sink.accepts_requests();
    unsigned processed = 0;
    for (WirePacket p; processed < budget && net_.receive(rank_, requests_too, &p); ++processed)
      sink.deliver({p.source, p.head, p.args.data(), p.payload.data()});
    return processed;
  }
  Status detach() override { return Status::kOk; }
  bool pending() const noexcept override { return net_.has_packet_for(rank_); }

 private:
  MemoryNet& net_;
  const Rank rank_;
};

MemoryNet::MemoryNet(Rank size, const Options& options)
    : size_(size), options_(options), wires_(std::size_t{size} * size), random_(options.reorder_seed) {}

std::unique_ptr<Conduit> MemoryNet::conduit(Rank rank) {
  return std::make_unique<MemoryConduit>(*this, rank);
}

Status MemoryNet::send(Rank from, Rank to, const AmPacket& packet, Pending* read) {
  const bool reply = (packet.head.flags & kAmReply) != 0;
  const std::lock_guard guard(mutex_);
  std::deque<WirePacket>& queue = reply ? wire(from, to).replies : wire(from, to).requests;
  bool refuse = queue.size() >= (reply ? options_.replies : options_.requests);
  if (!reply && options_.refuse_every != 0 && ++requests_tried_ % options_.refuse_every == 0) refuse = true;
  if (refuse) {
    ++refused_;
    return Status::kNoResource;
  }
  queue.push_back(WirePacket::of(from, packet));
  if (read != nullptr) {
    WirePacket& w = queue.back();
    w.body = packet.body, w.body_bytes = packet.body_bytes, w.read = read;
    std::memset(reinterpret_cast<char*>(w.payload.data()) + packet.prefix_bytes, '?', packet.body_bytes);
    read->add();
  }
  return Status::kOk;
}

WirePacket MemoryNet::pick(std::deque<WirePacket>& queue) {
  const std::size_t i = options_.reorder_seed == 0 ? 0 : random_() % queue.size();
  WirePacket packet = std::move(queue[i]);
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(i));
  if (packet.read != nullptr) {
    auto* payload = reinterpret_cast<char*>(packet.payload.data());
    std::memcpy(payload + packet.head.length - packet.body_bytes, packet.body, packet.body_bytes);
    packet.read->complete();
  }
  return packet;
}

bool MemoryNet::receive(Rank to, bool requests_too, WirePacket* packet) {
  const std::lock_guard guard(mutex_);
  const Rank first = options_.reorder_seed == 0 ? ++turn_ : static_cast<Rank>(random_());
  for (Rank i = 0; i < size_; ++i) {
    const Rank from = (first % size_ + i) % size_;
    Wire& in = wire(from, to);
    if (!in.replies.empty()) {
      *packet = pick(in.replies);
      return true;
    }
    if (requests_too && !in.requests.empty() && wire(to, from).replies.size() < options_.replies) {
      *packet = pick(in.requests);
      return true;
    }
  }
  return false;
}

bool MemoryNet::has_packet_for(Rank to) const {
  const std::lock_guard guard(mutex_);
  for (Rank from = 0; from < size_; ++from)
    if (!wire(from, to).replies.empty() || !wire(from, to).requests.empty()) return true;
  return false;
}

void MemoryNet::inject(Rank to, WirePacket packet) {
  const std::lock_guard guard(mutex_);
  const Rank from = packet.source < size_ ? packet.source : 0;
  const bool reply = (packet.head.flags & kAmReply) != 0;
  (reply ? wire(from, to).replies : wire(from, to).requests).push_back(std::move(packet));
}

std::size_t MemoryNet::on_wire(Rank from, Rank to) const {
  const std::lock_guard guard(mutex_);
  return wire(from, to).requests.size() + wire(from, to).replies.size();
}

std::size_t MemoryNet::on_wire() const {
  std::size_t n = 0;
  for (Rank from = 0; from < size_; ++from)
    for (Rank to = 0; to < size_; ++to) n += on_wire(from, to);
  return n;
}

std::uint64_t MemoryNet::refused() const {
  const std::lock_guard guard(mutex_);
  return refused_;
}

}  // namespace upcr::test
