// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/endpoint/conduit.hpp"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/transport/registry.hpp"
#include "conduits/net/ibv/device/choice.hpp"
#include "conduits/net/ibv/device/pin_error.hpp"
#include "conduits/net/ibv/endpoint/completion_error.hpp"
#include "conduits/net/ibv/queues/identifier.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

}  // namespace

Status IbvConduit::am_send(Rank to, const AmPacket& p) {
  Status status;
  bool lacks_credits;
  {
    const auto guard = lock_if(paths_.of(to).lock(), multithreaded_);
    status = packets_.send(to, p);
    lacks_credits = __builtin_expect(status == Status::kNoResource, 0) && packets_.lacks_credits(to);
  }
  if (lacks_credits) ask_for_credits(to);
  return status;
}

Status IbvConduit::put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
                       Pending* local) {
  if (access_.by_message(raddr, bytes)) return Status::kNotSupported;
  if (local != nullptr && access_.is_large(bytes)) ask_for_rails(to);
  const auto guard = lock_if(paths_.of(to).lock(), multithreaded_);
  return access_.put(to, raddr, src, bytes, remote, local);
}

Status IbvConduit::get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) {
  if (access_.by_message(raddr, bytes) || access_.is_misread(bytes)) return Status::kNotSupported;
  if (access_.is_large(bytes)) ask_for_rails(from);
  const auto guard = lock_if(paths_.of(from).lock(), multithreaded_);
  return access_.get(from, dst, raddr, bytes, done);
}

Status IbvConduit::amo64(Rank at, std::uint64_t raddr, AtomOp op, std::uint64_t a, std::uint64_t b,
                         std::uint64_t* old, Pending& done) {
  const auto guard = lock_if(paths_.of(at).lock(), multithreaded_);
  return access_.amo64(at, raddr, op, a, b, old, done);
}

void IbvConduit::begin_batch(Rank peer) {
  SendPath& path = paths_.of(peer);
  const auto guard = lock_if(path.lock(), multithreaded_);
  path.begin_batch(peer);
}

void IbvConduit::end_batch(Rank peer) {
  SendPath& path = paths_.of(peer);
  const auto guard = lock_if(path.lock(), multithreaded_);
  path.end_batch(peer);
}

void IbvConduit::ask_for_credits(Rank peer) {
  ConduitGuard guard(lock_, paths_, multithreaded_);
  guard.enter_all();
  packets_.ask_for_credits(peer);
}

// Before the first large transfer with a peer. Who finds that they have been asked for takes no lock but that
// of the send path. At the limit of connections they stay to be asked for, so nobody waits for the conduit's
// lock here: the next large transfer asks again.
void IbvConduit::ask_for_rails(Rank peer) {
  SendPath& path = paths_.of(peer);
  {
    const auto guard = lock_if(path.lock(), multithreaded_);
    if (!access_.lacks_rails(peer)) return;
  }
  if (!multithreaded_) return access_.request_rails(peer);
  ConduitGuard guard(std::try_to_lock, lock_, paths_);
  if (!guard.owns_lock()) return;
  guard.enter(path);
  access_.request_rails(peer);
}

// -- poll(): under the conduit's lock except while a handler runs

unsigned IbvConduit::poll(unsigned budget, AmSink& sink) {
  packets_.channel().begin_poll(sink);
  ConduitGuard guard(lock_, paths_, multithreaded_);
  post_batches(guard);
  // New connections count: other threads may wait to send by them.
  unsigned processed = links_.has_events() ? links_.process_events(guard) : 0;
  if (packets_.channel().has_held()) processed += packets_.channel().process_held(budget, guard);
  for (DeviceQueues& queues : links_.queues())
    if (processed < budget) processed += process_completions(queues, budget - processed, guard);
  if (packets_.channel().has_pending_acks()) packets_.channel().send_acks(guard);
  guard.leave();
  if (processed != 0 || packets_.has_share_messages(multithreaded_)) packets_.send_share_messages(guard);
  eviction_.poll(guard);
  signal_last(processed == 0, guard);
  guard.leave();
  if (processed == 0) memory_.reclaim_stale();
  return processed;
}

void IbvConduit::post_batches(ConduitGuard& guard) {
  for (SendPath& path : paths_.all()) {
    if (!path.waits_for_poll()) continue;
    guard.enter(path);
    path.post_batch();
  }
}

void IbvConduit::signal_last(bool idle, ConduitGuard& guard) {
  for (SendPath& path : paths_.all()) {
    if (!path.waits_for_poll()) continue;
    guard.enter(path);
    path.signal_last(idle);
  }
}

// Polls the queue once: what completes meanwhile is for the next poll().
unsigned IbvConduit::process_completions(DeviceQueues& queues, unsigned budget, ConduitGuard& guard) {
  guard.leave();
  if (!queues.has_fetched() && !queues.fetch()) return 0;
  unsigned processed = 0;
  for (; processed < budget && queues.has_fetched(); ++processed) {
    const ibv_wc completion = queues.next_completion();  // a copy: pending() may fetch while a handler runs
    process_completion(completion, queues, guard);
  }
  return processed;
}

void IbvConduit::process_completion(const ibv_wc& completion, DeviceQueues& queues, ConduitGuard& guard) {
  if (completion.status != IBV_WC_SUCCESS) return failed(completion, queues, guard);
  if (tag_of(completion.wr_id) == WorkRequestTag::kOperation) {
    auto& op = *pointer_of<Operation>(completion.wr_id);
    guard.enter(*op.link->path);
    complete(op);
  } else {
    packets_.received(pointer_of<ReceiveBuffer>(completion.wr_id), completion, queues, guard);
  }
}

void IbvConduit::complete(Operation& op) {
  if (op.kind == OperationKind::kHello) return;  // has room of its own
  Link& link = *op.link;
  link.path->retire(op, [this, &link](Operation* over) {
    if (over->kind == OperationKind::kFlush)
      access_.flushed(link, [this](Operation& write) { end(write); });
    else
      end(*over);
  });
  // The service thread may have closed the connection before the completion of its last packet was polled.
  if (__builtin_expect(link.discarded && link.leaving != Leaving::kNo, 0)) links_.note_returned(link);
}

void IbvConduit::end(Operation& op) {
  if (op.kind == OperationKind::kMessage)
    packets_.sent(*op.link, op.buffer);
  else if (op.kind != OperationKind::kSignal)
    access_.complete(op);
  op.link->path->end(op);
}

// A work request has failed. On links that are not in use any more, or not yet, everything that was posted
// completes as failed.
void IbvConduit::failed(const ibv_wc& completion, DeviceQueues& queues, ConduitGuard& guard) {
  if (links_.has_events()) (void)links_.process_events(guard);
  const WorkRequestTag tag = tag_of(completion.wr_id);
  Operation* op = nullptr;
  Link* link;
  if (tag == WorkRequestTag::kReceive) {
    auto* buffer = pointer_of<ReceiveBuffer>(completion.wr_id);
    link = buffer->link != nullptr ? buffer->link : links_.find(queues, completion.qp_num);
    if (buffer->link == nullptr)
      (void)queues.receives().post(buffer);
    else
      --link->receives_out;
  } else if (tag == WorkRequestTag::kOperation) {
    op = pointer_of<Operation>(completion.wr_id);
    link = op->link;
  } else {
    link = pointer_of<Link>(completion.wr_id);
  }
  if (link == nullptr || links_.is_closing()) return;
  guard.enter(*link->path);
  // The peer may have closed the connection, as agreed, before its device has acknowledged the last packet.
  if (link->leaving >= Leaving::kAgreed || (link->leaving != Leaving::kNo && link->discarded)) {
    if (op == nullptr || op->kind != OperationKind::kMessage) return links_.note_returned(*link);
    const bool discarded = link->discarded;
    complete(*op);  // of a discarded one it has noted that, and the link may be destroyed
    return discarded ? void() : links_.note_returned(*link);
  }
  if (!link->ready) return links_.note_returned(*link);
  if (link->broken) return;  // the work requests behind the first failure fail, too
  link->broken = true;
  const bool waited =
      completion.status == IBV_WC_RETRY_EXC_ERR || completion.status == IBV_WC_RESP_TIMEOUT_ERR;
  Connections& connections = links_.connections();
  connections.report_broken(link->rank,
                            describe_failure(completion, *link, op, connections.name_of(link->rank)), waited);
}

// -- waiting: any thread

bool IbvConduit::arm() {
  const ConduitGuard guard(lock_, paths_, multithreaded_);
  memory_.reclaim_stale();
  links_.events().reset_event_fd();
  for (DeviceQueues& queues : links_.queues()) queues.arm();
  return !has_work();  // tested after the queues are armed: earlier arrivals are seen, later ones wake
}

bool IbvConduit::pending() const noexcept {
  const ConduitGuard guard(lock_, paths_, multithreaded_);
  return has_work();
}

bool IbvConduit::has_work() const noexcept {
  if (links_.has_events() || !packets_.idle(multithreaded_) || paths_.needs_poll(multithreaded_)) return true;
  for (DeviceQueues& queues : links_.queues())
    if (queues.has_fetched() || queues.fetch()) return true;
  return false;
}

// The descriptor is readable when an armed completion queue has had a completion, or the service thread has
// left an event.
void IbvConduit::open_wait_fd() {
  wake_ = ::epoll_create1(EPOLL_CLOEXEC);
  epoll_event event{};
  event.events = EPOLLIN;
  bool good = wake_ >= 0 && ::epoll_ctl(wake_, EPOLL_CTL_ADD, links_.events().event_fd(), &event) == 0;
  for (DeviceQueues& queues : links_.queues())
    good = good && ::epoll_ctl(wake_, EPOLL_CTL_ADD, queues.channel()->fd, &event) == 0;
  if (!good) fatal("a descriptor to wait for completions cannot be created: %s", std::strerror(errno));
}

// -- start and end: main thread

namespace {

// Bytes of the smallest transfer that is distributed over rails (UPCR_IBV_STRIPE); SIZE_MAX: none.
std::size_t smallest_distributed(std::size_t ports) {
  const char* const text = config_string("UPCR_IBV_STRIPE");
  std::uint64_t bytes = 0;
  if (std::strcmp(text, "no") == 0) return SIZE_MAX;
  if (!parse_size(text, &bytes)) fatal_setting("UPCR_IBV_STRIPE=%s: expected a size, as 64KB, or no", text);
  return ports > 1 && bytes != 0 ? static_cast<std::size_t>(bytes) : SIZE_MAX;
}

// One for each peer of a small job, and as many as the devices have room for.
unsigned paths_for(const Topology& topology, std::span<Device* const> devices, const Depths& depths) {
  unsigned paths = std::min(SendPaths::kMost, std::bit_ceil(topology.size));
  for (const Device* device : devices) paths = DeviceQueues::paths_for(device->limits(), depths, paths);
  return paths;
}

}  // namespace

Status IbvConduit::attach(const AttachInfo& info) {
  bootstrap_ = &info.bootstrap;
  multithreaded_ = info.multithreaded;
  ports_.open(info.topology);
  const auto devices = ports_.devices();
  const std::size_t distributed = smallest_distributed(ports_.ports().size());
  const ConnectionLimits limits = limits_for(info.topology, distributed != SIZE_MAX);
  Agreement agreed = agree(info.bootstrap, info.topology, ports_, limits.own);
  open_xrc(info.topology, &agreed);
  UPCR_LOG(log_ibv, kInfo, "up to %u credits and %u work requests for each process", agreed.depths.credits,
           agreed.depths.send);
  if (multithreaded_) agreed.depths.paths = paths_for(info.topology, devices, agreed.depths);
  UPCR_LOG(log_ibv, kInfo, "send paths: %u, to %u processes", agreed.depths.paths, agreed.depths.peers);
  paths_.open(links_.connections(), agreed.iwarp, agreed.siw, agreed.depths.paths);
  links_.open_queues(info.topology, devices, memory_, agreed.depths, agreed.iwarp, packets_.sums());
  packets_.open(info.topology, info.doorbells, devices, paths_.count());
  packets_.set_eviction(eviction_);
  if (!xrc_.is_open()) eviction_.open(limits.own);
  links_.rails().open(links_.connections(), distributed, limits);
  access_.open(devices, agreed, multithreaded_);
  open_wait_fd();
  memory_.open(devices, info, info.segments, locked_by_peers(agreed.depths.peers));
  const bool sums = packets_.sums() != nullptr;  // only packets carry checksums
  caps_.rma_put = caps_.rma_get = !sums;
  caps_.amo64 = agreed.atomics_by_device && !sums;
  caps_.max_rma = agreed.max_rma;
  caps_.max_inline = access_.max_copied();
  links_.open(info, ports_.ports(), xrc_.is_open() ? &xrc_ : nullptr);
  if (std::strcmp(config_string("UPCR_IBV_CONNECT"), "all") == 0) links_.connect_all();
  return Status::kOk;
}

// Where a user has not asked for XRC, and some process cannot open its host's domain, the job does without.
void IbvConduit::open_xrc(const Topology& topology, Agreement* agreed) {
  XrcDecision& xrc = agreed->xrc;
  if (xrc.why_not.empty()) xrc.why_not = xrc_.open(*bootstrap_, topology, ports_.devices());
  if (!xrc.why_not.empty() && xrc.is_wanted) fatal_setting("UPCR_IBV_XRC=yes, but %s", xrc.why_not.c_str());
  if (!xrc_.is_open()) agreed->depths.sharers = 0;
  UPCR_LOG(log_ibv, kInfo, "%s%s",
           xrc_.is_open() ? "XRC: a queue pair for each host" : "no XRC: ", xrc.why_not.c_str());
}

// When all of them are connected: receive buffers, and the queues of queue pairs, which drivers keep in
// memory of the process.
std::size_t IbvConduit::locked_by_peers(unsigned peers) {
  constexpr std::size_t kQueuePair = 32 << 10;
  std::size_t bytes = kQueuePair * peers;
  for (DeviceQueues& queues : links_.queues())
    bytes += queues.receives().bytes_for(peers) * ports_.devices().size();
  return bytes;
}

// A lower limit is nothing to be had for free, since one-sided access to a peer waits for its answer while it
// is asked (eviction.hpp).
ConnectionLimits IbvConduit::limits_for(const Topology& topology, bool has_rails) const {
  return connection_limits(static_cast<unsigned>(config_int("UPCR_IBV_CONNECTIONS")),
                           ports_.queue_pairs(topology), has_rails);
}

std::string IbvConduit::describe() const {
  const std::string memory = memory_.describe();
  return "ibv: " + ports_.describe() + (memory.empty() ? "" : "; ") + memory;
}

bool IbvConduit::nothing_in_progress() const noexcept {
  return packets_.idle(multithreaded_) && links_.idle();
}
bool IbvConduit::idle() const noexcept { return nothing_in_progress() && eviction_.idle(); }

Status IbvConduit::detach() {
  drain(*bootstrap_);
  links_.rails().report([this](unsigned port) { return ports_.ports()[port].name; });
  links_.close();
  ::close(wake_);
  wake_ = -1;
  packets_.close();
  access_.close();
  memory_.close();
  ports_.close();
  xrc_.close();
  return Status::kOk;
}

namespace {

std::unique_ptr<Conduit> create() { return std::make_unique<IbvConduit>(); }

std::string obstacle(Preference) {
  const Found found = discover_devices();
  std::string why_not = reason_not_to_choose(found, config_string("UPCR_IBV_PORTS"), lockable_now());
  return found.devices.empty() ? "no device: " + why_not : why_not;
}

}  // namespace
}  // namespace upcr::ibv

extern "C" UPCR_MODULE_API const upcr::ConduitModule upcr_conduit_module;
const upcr::ConduitModule upcr_conduit_module = {
    {upcr::kConduitAbi, "ibv"}, upcr::ibv::create, upcr::ibv::obstacle};
