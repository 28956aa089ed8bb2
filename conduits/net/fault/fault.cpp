// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/fault/fault.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/net/fault/hold.hpp"
#include "conduits/net/fault/late_puts.hpp"

namespace upcr {
namespace {

// A request that was accepted and has not been sent yet.
struct Held {
  Rank to;
  AmHeader head;
  std::uint32_t args[kMaxAmArgs];
  std::vector<char> payload;
  std::uint64_t send_at;  // number of the poll
  bool kept;              // by hold.h: sent after the release
  unsigned release;
};

class FaultConduit final : public Conduit {
 public:
  FaultConduit(std::unique_ptr<Conduit> inner, const FaultOptions& options)
      : inner_(std::move(inner)), options_(options), random_(options.reorder + 1) {
    adopt_caps();
  }
  const char* name() const noexcept override { return inner_->name(); }
  std::string describe() const override { return inner_->describe(); }
  std::string details() const override { return inner_->details(); }
  void plan(MemoryFile& memory, const Topology& topology) override { inner_->plan(memory, topology); }
  Status attach(const AttachInfo& info) override {
    const Status status = inner_->attach(info);
    adopt_caps();
    return status;
  }
  void set_engine(AmEngine* engine) noexcept override {
    Conduit::set_engine(engine);
    inner_->set_engine(engine);
  }
  Status detach() override {
    // A conduit may have room again only after a poll.
    for (;;) {
      late_puts_.send_due(UINT64_MAX, engine_);
      if (send_held(true) && late_puts_.empty()) break;
      if (engine_ != nullptr) (void)engine_->poll();
      cpu_relax_or_yield();
    }
    return inner_->detach();
  }
  int wait_fd() override { return inner_->wait_fd(); }
  bool arm() override {
    return !holds_something() && inner_->arm();  // what is held is sent in poll()
  }
  bool pending() const noexcept override { return holds_something() || inner_->pending(); }

  Status am_send(Rank to, const AmPacket& packet) override;
  Status am_send_bulk(Rank to, const AmPacket& packet, Pending& local) override {
    if (options_.am_only || options_.late_puts) return Status::kNotSupported;
    return refuses() ? Status::kNoResource : inner_->am_send_bulk(to, packet, local);
  }
  unsigned poll(unsigned budget, AmSink& sink) override {
    const unsigned processed = inner_->poll(budget, sink);
    const std::uint64_t now = polls_.fetch_add(1, std::memory_order_relaxed) + 1;
    hold().polls.fetch_add(1, std::memory_order_relaxed);
    if (held_count_.load(std::memory_order_relaxed) != 0) (void)send_held(false);
    if (!late_puts_.empty()) late_puts_.send_due(now, engine_);
    return processed;
  }

  Status put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
             Pending* local) override {
    if (options_.am_only) return Status::kNotSupported;
    if (options_.late_puts) {
      const std::uint64_t now = polls_.load(std::memory_order_relaxed);
      late_puts_.add(to, raddr, src, bytes, remote, local, now + kLatePolls);
      return Status::kInProgress;
    }
    return refuses() ? Status::kNoResource : inner_->put(to, raddr, src, bytes, remote, local);
  }
  Status get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) override {
    if (options_.am_only || options_.late_puts) return Status::kNotSupported;
    return refuses() ? Status::kNoResource : inner_->get(from, dst, raddr, bytes, done);
  }
  Status amo64(Rank at, std::uint64_t raddr, AtomOp op, std::uint64_t a, std::uint64_t b, std::uint64_t* old,
               Pending& done) override {
    if (options_.am_only || options_.late_puts) return Status::kNotSupported;
    return refuses() ? Status::kNoResource : inner_->amo64(at, raddr, op, a, b, old, done);
  }
  void begin_batch(Rank peer) override { inner_->begin_batch(peer); }
  void end_batch(Rank peer) override { inner_->end_batch(peer); }

 private:
  // For each peer: one that accepts nothing uses up its own share only.
  static constexpr std::ptrdiff_t kMaxHeld = 64;
  static constexpr std::uint64_t kLatePolls = 20;

  void adopt_caps() {
    caps_ = inner_->caps();
    if (options_.am_only || options_.late_puts) caps_.rma_put = caps_.rma_get = caps_.amo64 = false;
    if (options_.late_puts) {
      caps_.rma_put = true;
      caps_.max_rma = caps_.max_medium;
      caps_.max_inline = 0;
    }
  }
  bool refuses() {
    return options_.refuse != 0 && tried_.fetch_add(1, std::memory_order_relaxed) % options_.refuse == 0;
  }
  bool holds() const { return options_.delay != 0 || options_.reorder != 0; }
  bool holds_something() const noexcept {
    return held_count_.load(std::memory_order_relaxed) != 0 || !late_puts_.empty();
  }
  bool send_held(bool all);

  const std::unique_ptr<Conduit> inner_;
  const FaultOptions options_;
  std::atomic<std::uint64_t> tried_{1}, polls_{0};
  std::atomic<std::size_t> held_count_{0};
  LatePuts late_puts_;
  SpinLock lock_;  // of the members below
  std::vector<Held> held_;
  std::mt19937_64 random_;
};

Status FaultConduit::am_send(Rank to, const AmPacket& p) {
  if ((p.head.flags & kAmReply) != 0) return inner_->am_send(to, p);
  if (refuses()) return Status::kNoResource;
  if (!holds() && hold().next.load(std::memory_order_relaxed) == 0) {
    const Status status = inner_->am_send(to, p);
    if (status == Status::kOk) hold().sent.fetch_add(1);
    return status;
  }
  const std::lock_guard<SpinLock> guard(lock_);
  if (std::count_if(held_.begin(), held_.end(), [to](const Held& h) { return h.to == to; }) >= kMaxHeld)
    return Status::kNoResource;
  const bool keep = hold().should_hold();
  Held h{to, p.head, {}, std::vector<char>(p.prefix_bytes + p.body_bytes), 0, keep, hold().releases.load()};
  if (p.head.nargs != 0) std::memcpy(h.args, p.args, p.head.nargs * sizeof *p.args);
  if (p.prefix_bytes != 0) std::memcpy(h.payload.data(), p.prefix, p.prefix_bytes);
  if (p.body_bytes != 0) std::memcpy(h.payload.data() + p.prefix_bytes, p.body, p.body_bytes);
  h.send_at = polls_.load(std::memory_order_relaxed) + random_() % (options_.delay + 1);
  held_.push_back(std::move(h));
  if (keep)
    hold().kept.fetch_add(1);
  else
    hold().sent.fetch_add(1);
  held_count_.store(held_.size(), std::memory_order_relaxed);
  return Status::kOk;
}

// Sends what is due, or everything. True: nothing is left.
bool FaultConduit::send_held(bool all) {
  const std::lock_guard<SpinLock> guard(lock_);
  const std::uint64_t now = polls_.load(std::memory_order_relaxed);
  const unsigned releases = hold().releases.load();
  if (options_.reorder != 0) std::shuffle(held_.begin(), held_.end(), random_);
  std::erase_if(held_, [&](const Held& h) {
    if (!all && (h.kept ? h.release == releases : h.send_at > now)) return false;
    const AmPacket packet{h.head, h.args, nullptr, 0, h.payload.data(), h.payload.size()};
    if (inner_->am_send(h.to, packet) != Status::kOk) return false;
    if (h.kept) hold().kept.fetch_sub(1);
    return true;
  });
  held_count_.store(held_.size(), std::memory_order_relaxed);
  return held_.empty();
}

}  // namespace

std::unique_ptr<Conduit> wrap_in_faults(std::unique_ptr<Conduit> inner, const FaultOptions& options) {
  return std::make_unique<FaultConduit>(std::move(inner), options);
}

}  // namespace upcr
