// SPDX-License-Identifier: BSD-3-Clause
// How the ibv conduit starts and ends. Main thread.
#include <sched.h>

#include <algorithm>
#include <cstring>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/transport/registry.hpp"
#include "conduits/core/wait/doorbells.hpp"
#include "conduits/net/ibv/device/choice.hpp"
#include "conduits/net/ibv/device/pin_error.hpp"
#include "conduits/net/ibv/endpoint/conduit.hpp"

namespace upcr::ibv {

namespace {

LogComponent log_ibv("ibv");

// What aligned words take.
bool words_by_message(const Limits& limits) {
  const char* choice = config_string("UPCR_IBV_WORDS");
  return std::strcmp(choice, "auto") == 0 ? limits.words_by_kernel_copy
                                          : std::strcmp(choice, "messages") == 0;
}

bool atomics_by_device(const Limits& limits) {
  const char* choice = config_string("UPCR_IBV_ATOMICS");
  if (!limits.atomics || std::strcmp(choice, "messages") == 0) return false;
  return limits.atomics_coherent || std::strcmp(choice, "device") == 0;
}

}  // namespace

// What a process's devices and variables allow; travels as bytes. The job does what all of them can.
struct IbvConduit::Traits {
  std::uint64_t max_message = UINT32_MAX;
  std::uint32_t window = 0;
  bool words_by_message = false, shorts_by_message = false, atomics = true, iwarp = false, siw = false;
};

Status IbvConduit::attach(const AttachInfo& info) {
  topology_ = &info.topology;
  doorbells_ = &info.doorbells;
  bootstrap_ = &info.bootstrap;
  multithreaded_ = info.multithreaded;
  ports_.open(info.topology);
  agree(info.bootstrap);
  open_queues();
  open_waiting();
  memory_.open(ports_.devices(), info, info.segments, locked_by_peers());
  caps_.rma_put = caps_.rma_get = sums_ == nullptr;  // only packets carry checksums
  caps_.max_inline = large_bounces_.buffer_bytes();
  connections_.open(info, ports_.ports(), *this);
  if (std::strcmp(config_string("UPCR_IBV_CONNECT"), "all") == 0) connections_.connect_all();
  return Status::kOk;
}

// Requests under way to each process, as far as this process's devices have queues for them.
unsigned IbvConduit::window_here() const {
  const unsigned asked = static_cast<unsigned>(config_int("UPCR_IBV_RECEIVES"));
  unsigned window =
      config_is_set("UPCR_IBV_RECEIVES") ? asked : std::min(asked, credit_limit_for(topology_->size));
  for (const Device* device : ports_.devices()) {
    const Limits& limits = device->limits();
    while (window > 1 && !limits.srq && receives_for(window) > limits.max_send) window /= 2;
    while (window > 1 && std::size_t{receives_for(window)} * depths_.peers > limits.max_completions / 2)
      window /= 2;
    while (window > 1 && limits.srq &&
           std::size_t{receives_for(window)} * depths_.peers > limits.max_receives)
      window /= 2;
  }
  return window;
}

void IbvConduit::agree(Bootstrap& bootstrap) {
  depths_.peers = std::max(1u, topology_->size - 1);
  Traits mine;
  mine.window = window_here();
  for (const Device* device : ports_.devices()) {
    const Limits& limits = device->limits();
    mine.max_message = std::min(mine.max_message, limits.max_message);
    mine.words_by_message |= words_by_message(limits);
    mine.shorts_by_message |= mine.words_by_message || limits.software;
    mine.atomics &= atomics_by_device(limits);
    mine.iwarp |= limits.iwarp;
    mine.siw |= limits.iwarp && limits.software;
  }
  std::vector<Traits> all(topology_->size);
  bootstrap.allgather(&mine, sizeof mine, all.data());
  Traits job = mine;
  for (const Traits& t : all) {
    job.max_message = std::min(job.max_message, t.max_message);
    job.window = std::min(job.window, t.window);
    job.words_by_message |= t.words_by_message;
    job.shorts_by_message |= t.shorts_by_message;
    job.atomics &= t.atomics;
    job.iwarp |= t.iwarp;
    job.siw |= t.siw;
  }
  depths_.window = job.window;
  words_by_message_ = job.words_by_message;
  shorts_by_message_ = job.shorts_by_message;
  iwarp_ = job.iwarp;
  short_reads_keep_to_pages_ = job.siw;
  caps_.amo64 = job.atomics && sums_ == nullptr;
  constexpr std::uint64_t kMost = 1u << 30;
  caps_.max_rma = static_cast<std::size_t>(std::min(job.max_message, kMost));
}

void IbvConduit::open_queues() {
  const auto devices = ports_.devices();
  depths_.send = static_cast<unsigned>(config_int("UPCR_IBV_SEND_DEPTH"));
  for (const Device* device : devices) {
    const unsigned most = device->limits().max_send - DeviceQueues::kOwnRequests;
    depths_.send = std::clamp(depths_.send, 2u, most);
  }
  std::size_t operations = 0;
  for (Device* device : devices) {
    queues_.emplace_back().open(*device, devices, memory_, depths_);
    operations += queues_.back().capacity();
  }
  operations_.open(operations);
  sends_.open(devices, kPacketBytes, kSendBuffers, "messages");
  small_bounces_.open(devices, kSmallBounceBytes, kSmallBounces, "small transfers");
  const std::size_t large = std::max<std::size_t>(config_size("UPCR_IBV_BOUNCE"), kSmallBounceBytes);
  large_bounces_.open(devices, large, kLargeBounces, "transfers (UPCR_IBV_BOUNCE)");
  flush_sink_ = small_bounces_.take();
  hellos_.open(devices, sizeof(Head) + kPacketSumBytes, 1, "connections");
  const Head hello{PacketKind::kHello, 0, 0, topology_->rank};
  std::memcpy(hellos_.at(0), &hello, sizeof hello);
  if (sums_ != nullptr) (void)sums_->seal(hellos_.at(0), sizeof hello);
  links_.resize(topology_->size);
  has_asked_.resize(topology_->size);
  pending_acks_.open(topology_->size);
  UPCR_LOG(log_ibv, kInfo, "%u requests and %u work requests under way to each process", depths_.window,
           depths_.send);
}

// When all of them have connected: receive buffers, and the queue pairs' queues, which drivers keep in memory
// of the process.
std::size_t IbvConduit::locked_by_peers() {
  constexpr std::size_t kQueuePair = 32 << 10;
  std::size_t bytes = kQueuePair * depths_.peers;
  for (DeviceQueues& queues : queues_)
    bytes += queues.receives().bytes_for(depths_.peers) * ports_.devices().size();
  return bytes;
}

std::string IbvConduit::describe() const {
  const std::string memory = memory_.describe();
  return "ibv: " + ports_.describe() + (memory.empty() ? "" : "; ") + memory;
}

bool IbvConduit::idle() const noexcept {
  return held_.empty() && pending_acks_.empty() && !connection_events_.any() &&
         asked_.load(std::memory_order_relaxed) == 0 &&
         std::none_of(queues_.begin(), queues_.end(), [](const DeviceQueues& q) { return q.is_busy(); });
}

namespace {

template <typename Done>
void poll_until(AmEngine& engine, Done&& done) {
  while (!done())
    if (engine.poll() == 0) ::sched_yield();
}

}  // namespace

void IbvConduit::say_goodbye() {
  for (Link* link : links_) {
    if (link == nullptr) continue;
    poll_until(*engine_, [&] { return has_room_for_packet(*link, sizeof(Head) + extra_bytes_); });
    link->queue.request_signal();  // so that everything before is known to be over
    send_head(*link, PacketKind::kClose);
  }
}

bool IbvConduit::has_close_packets(unsigned times) const noexcept {
  return std::all_of(links_.begin(), links_.end(),
                     [times](const Link* l) { return l == nullptr || l->goodbyes >= times; });
}

// A goodbye is the last packet of its kind: what was sent before has been taken when it is.
void IbvConduit::drain() {
  poll_until(*engine_, [this] { return idle(); });
  bootstrap_->barrier();  // both ends of each connection know of it
  poll_until(*engine_, [this] { return candidates_.empty() && idle(); });
  say_goodbye();  // behind the requests, and what answers them
  poll_until(*engine_, [this] { return has_close_packets(1) && idle(); });
  silent_ = true;
  say_goodbye();  // behind the answers, which nothing answers
  poll_until(*engine_, [this] { return has_close_packets(2) && idle(); });
  closing_.store(true, std::memory_order_release);
}

Status IbvConduit::detach() {
  drain();
  connections_.close();
  close_waiting();
  for (DeviceQueues& queues : queues_) queues.close();
  sends_.close();
  small_bounces_.close();
  large_bounces_.close();
  hellos_.close();
  memory_.close();
  ports_.close();
  return Status::kOk;
}

namespace {

std::unique_ptr<Conduit> create() { return std::make_unique<IbvConduit>(); }

std::string obstacle() {
  return reason_not_to_choose(discover_devices(), config_string("UPCR_IBV_PORTS"), lockable_now());
}

}  // namespace
}  // namespace upcr::ibv

extern "C" UPCR_MODULE_API const upcr::ConduitModule upcr_conduit_module;
const upcr::ConduitModule upcr_conduit_module = {
    {upcr::kConduitAbi, "ibv"}, upcr::ibv::create, upcr::ibv::obstacle};
