// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ofi/endpoint/conduit.hpp"

#include <algorithm>
#include <vector>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/transport/registry.hpp"
#include "conduits/net/ofi/endpoint/closing.hpp"

namespace upcr::ofi {

Status OfiConduit::am_send(Rank to, const AmPacket& packet) {
  const auto guard = lock_if(lock_, multithreaded_);
  return packets_.send(to, packet);
}

Status OfiConduit::put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
                       Pending* local) {
  const auto guard = lock_if(lock_, multithreaded_);
  return started(access_.put(to, raddr, src, bytes, remote, local), to);
}

Status OfiConduit::get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) {
  const auto guard = lock_if(lock_, multithreaded_);
  return started(access_.get(from, dst, raddr, bytes, done), from);
}

Status OfiConduit::amo64(Rank at, std::uint64_t raddr, AtomOp op, std::uint64_t a, std::uint64_t b,
                         std::uint64_t* old, Pending& done) {
  const auto guard = lock_if(lock_, multithreaded_);
  return started(atomics_.start(at, raddr, op, a, b, old, done), at);
}

Status OfiConduit::started(Status status, Rank peer) noexcept {
  if (status == Status::kInProgress) packets_.access_started(peer);
  return status;
}

std::string OfiConduit::describe() const {
  return "ofi: " + network_.describe() +
         (caps_.rma_put ? "; large puts and gets by the provider" : "; puts and gets by messages") +
         (caps_.amo64 ? "; atomic operations by the provider" : "");
}

// -- poll(): under the lock except while a handler runs

unsigned OfiConduit::poll(unsigned budget, AmSink& sink) {
  auto& channel = packets_.channel();
  channel.begin_poll(sink);
  auto guard = lock_if(lock_, multithreaded_);
  unsigned processed = channel.has_held() ? channel.process_held(budget, guard) : 0;
  processed += process_completions(budget, guard);
  if (channel.has_pending_acks()) channel.send_acks();
  if (packets_.has_leftovers()) packets_.send_leftovers();
  if (watch_.due()) watch_.tick();
  return processed;
}

// Fetches once: what completes meanwhile is for the next poll().
unsigned OfiConduit::process_completions(unsigned budget, std::unique_lock<SpinLock>& guard) {
  if (!has_fetched() && !fetch()) return 0;
  if (has_failure_) failed();
  unsigned processed = 0;
  for (; processed < budget && has_fetched(); ++processed) {
    const fi_cq_msg_entry entry = entries_[next_++];  // a copy: pending() may fetch while a handler runs
    Operation& operation = operation_of(entry.op_context);
    switch (operation.kind) {
      case OperationKind::kReceive:
        packets_.received(operation.buffer, entry.len, guard);
        break;
      case OperationKind::kSend:
        packets_.sends().complete(operation);
        break;
      case OperationKind::kAccess:
        packets_.access_completed(operation.peer);
        access_.complete(operation);
        break;
      case OperationKind::kAtomic:
        packets_.access_completed(operation.peer);
        atomics_.complete(operation);
        break;
    }
  }
  return processed;
}

// Is there a completion, or a failure? Not while some have been fetched.
bool OfiConduit::fetch() const noexcept {
  if (has_failure_) return true;
  const ssize_t n = network_.fetch(entries_, kBatch);
  next_ = 0;
  fetched_ = n > 0 ? static_cast<unsigned>(n) : 0;
  has_failure_ = n < 0 && n != -FI_EAGAIN;
  return n != 0 && n != -FI_EAGAIN;
}

void OfiConduit::failed() {
  fi_cq_err_entry entry;
  const std::string why = network_.failure(&entry);
  if (entry.op_context == nullptr) fatal("a message cannot be delivered: %s", why.c_str());
  const Operation& operation = operation_of(entry.op_context);
  if (operation.kind != OperationKind::kReceive)
    packets_.sends().fail(operation.peer, why + Sends::kUsualCauses);
  fatal("receiving a message has failed: %s", why.c_str());
}

// -- waiting: any thread

bool OfiConduit::arm() {
  const auto guard = lock_if(lock_, multithreaded_);
  return !has_work() && network_.arm();
}

bool OfiConduit::pending() const noexcept {
  const auto guard = lock_if(lock_, multithreaded_);
  return has_work();
}

bool OfiConduit::has_work() const noexcept {
  return !packets_.channel().idle() || packets_.has_leftovers() || has_fetched() || fetch();
}

// -- start and end: main thread

namespace {

// The lowest credit limit of all processes.
unsigned agreed_credits(Bootstrap& bootstrap) {
  const auto requested = static_cast<unsigned>(config_int("UPCR_OFI_CREDITS"));
  const unsigned mine =
      config_is_set("UPCR_OFI_CREDITS") ? requested : std::min(requested, credit_limit_for(bootstrap.size()));
  std::vector<unsigned> all(bootstrap.size());
  bootstrap.allgather(&mine, sizeof mine, all.data());
  return *std::min_element(all.begin(), all.end());
}

// Buffers: as many as the user wants, or the provider has room for.
std::size_t buffers(const char* variable, std::size_t limit) {
  const auto wanted = static_cast<std::size_t>(config_int(variable));
  return limit != 0 ? std::min(wanted, limit) : wanted;
}

}  // namespace

Status OfiConduit::attach(const AttachInfo& info) {
  bootstrap_ = &info.bootstrap;
  topology_ = &info.topology;
  multithreaded_ = info.multithreaded;
  std::string why_not;
  const bool one_host = info.topology.machine_ranks == info.topology.size;
  announce_processes(info.topology.size);
  Info chosen = choose(one_host, &why_not);
  if (chosen == nullptr) fatal_setting("conduit ofi cannot be used: %s", why_not.c_str());
  if (chosen->ep_attr->max_msg_size < kPacketBytes)
    fatal_setting(
        "conduit ofi cannot use libfabric's provider %s: its longest message is of %zu bytes, not %zu",
        chosen->fabric_attr->prov_name, chosen->ep_attr->max_msg_size, kPacketBytes);
  const std::size_t sends = buffers("UPCR_OFI_SENDS", chosen->tx_attr->size);
  const std::size_t receives = buffers("UPCR_OFI_RECEIVES", chosen->rx_attr->size);
  network_.open(std::move(chosen), sends, receives);
  packets_.open({info.topology, info.doorbells, info.bootstrap, network_, agreed_credits(info.bootstrap),
                 sends, receives});
  network_.connect(info.bootstrap, watch_.listen(network_, one_host, info.topology.size));
  watch_.open(network_, packets_);
  // With checksums everything is in packets.
  if (!packets_.has_sums() && access_.open(network_, info)) {
    caps_.rma_put = caps_.rma_get = true;
    caps_.max_rma = access_.max_bytes();
    caps_.amo64 = atomics_.open(network_, access_);
  }
  return Status::kOk;
}

Status OfiConduit::detach() {
  for (bool idle = false; !idle;) {
    (void)engine_->poll();
    const auto guard = lock_if(lock_, multithreaded_);
    idle = access_.idle() && atomics_.idle();
  }
  Closing(*engine_, packets_, *topology_, lock_).run();
  bootstrap_->barrier();  // no process sends any more
  watch_.close();
  atomics_.close();
  access_.close();
  network_.close_endpoint();
  packets_.close();
  network_.close();
  return Status::kOk;
}

namespace {

std::unique_ptr<Conduit> create() { return std::make_unique<OfiConduit>(); }

std::string obstacle(Preference preference) {
  std::string why_not;
  const Info best = choose(false, &why_not);
  if (best == nullptr) return why_not;
  if (preference == Preference::kLastResort || is_own_network(*best)) return {};
  return std::string("libfabric's provider ") + best->fabric_attr->prov_name + " is for hosts without MPI";
}

}  // namespace
}  // namespace upcr::ofi

extern "C" UPCR_MODULE_API const upcr::ConduitModule upcr_conduit_module;
const upcr::ConduitModule upcr_conduit_module = {
    {upcr::kConduitAbi, "ofi"}, upcr::ofi::create, upcr::ofi::obstacle};
