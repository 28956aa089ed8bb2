// SPDX-License-Identifier: BSD-3-Clause
// Protocol: kAtomic(address, pending, old, code, a, b) -> kAtomicReply(pending, old, value). Operands of 8
// bytes are one word, longer ones two.
#include "conduits/core/rma/atomic.hpp"

#include <cstring>
#include <mutex>

#include "conduits/core/am/args.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/rma/start_native.hpp"

namespace upcr {
namespace {

// A compare-and-swap loop on a whole object. Returns the old value.
template <typename Word, typename Change>
std::uint64_t loop(void* address, Change&& change) noexcept {
  auto* const word = static_cast<Word*>(address);
  Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &old, change(old), true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
  return old;
}

template <typename To, typename From>
To bits(From from) noexcept {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// Number: the type of the computation; Word: the unsigned integer of its size.
template <typename Number, typename Word>
std::uint64_t compute(void* address, AtomOp op, Word operand) noexcept {
  const auto x = bits<Number>(operand);
  return loop<Word>(address, [&](Word old) -> Word {
    const auto y = bits<Number>(old);
    switch (op) {
      case AtomOp::kAdd:
        return bits<Word>(static_cast<Number>(y + x));
      case AtomOp::kMult:
        return bits<Word>(static_cast<Number>(y * x));
      case AtomOp::kMin:
        return x < y ? operand : old;
      default:
        return x > y ? operand : old;
    }
  });
}

template <typename Word>
std::uint64_t on_word(void* address, AtomType type, AtomOp op, AtomWord a, AtomWord b) noexcept {
  auto* const word = static_cast<Word*>(address);
  auto x = static_cast<Word>(a.low);
  const auto y = static_cast<Word>(b.low);
  switch (op) {
    case AtomOp::kGet:
      return __atomic_load_n(word, __ATOMIC_SEQ_CST);
    case AtomOp::kSet:
    case AtomOp::kSwap:
      return __atomic_exchange_n(word, x, __ATOMIC_SEQ_CST);
    case AtomOp::kCas:
      __atomic_compare_exchange_n(word, &x, y, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
      return x;  // the old value: the expected one when it succeeded
    case AtomOp::kMaskedCas:
      return loop<Word>(address, [&](Word old) -> Word { return ((old ^ x) & a.high) == 0 ? y : old; });
    case AtomOp::kMaskedSwap:
      return loop<Word>(address, [&](Word old) -> Word { return (old & ~x) | (y & x); });
    case AtomOp::kAnd:
      return __atomic_fetch_and(word, x, __ATOMIC_SEQ_CST);
    case AtomOp::kOr:
      return __atomic_fetch_or(word, x, __ATOMIC_SEQ_CST);
    case AtomOp::kXor:
      return __atomic_fetch_xor(word, x, __ATOMIC_SEQ_CST);
    case AtomOp::kAdd:
    case AtomOp::kMult:
    case AtomOp::kMin:
    case AtomOp::kMax:
      break;
  }
  const bool floating = type == AtomType::kFloat || type == AtomType::kDouble;
  if (op == AtomOp::kAdd && !floating) return __atomic_fetch_add(word, x, __ATOMIC_SEQ_CST);
  if constexpr (sizeof(Word) == 4) {
    if (floating) return compute<float>(address, op, x);
    // A product's low bits are the same for both; signed overflow is undefined.
    if (type == AtomType::kI32 && op != AtomOp::kMult) return compute<std::int32_t>(address, op, x);
    return compute<std::uint32_t>(address, op, x);
  } else {
    if (floating) return compute<double>(address, op, x);
    if (type == AtomType::kI64 && op != AtomOp::kMult) return compute<std::int64_t>(address, op, x);
    return compute<std::uint64_t>(address, op, x);
  }
}

// ---- 16 bytes --------------------------------------------------------------------------------------------

constexpr unsigned kPairLocks = 64;

}  // namespace

struct alignas(64) Atomics::PairLock {
  SpinLock lock;
};

AtomWord Atomics::on_pair(void* address, AtomOp op, AtomWord a, AtomWord b) const noexcept {
  // Segments start on pages wherever they are mapped, so every process of the host picks the same lock.
  const auto which = reinterpret_cast<std::uintptr_t>(address) / 8 % kPairLocks;
  const std::lock_guard guard(pair_locks_[which].lock);
  AtomWord old;
  std::memcpy(&old, address, sizeof old);
  const std::uint64_t low = old.low ^ a.low, high = old.high ^ a.high;
  const bool equal = op == AtomOp::kCas ? (low | (high & 0xffffffffu)) == 0 : (low >> 32 | high) == 0;
  if ((op == AtomOp::kCas || op == AtomOp::kMaskedCas) && equal)
    std::memcpy(address, &b, sizeof b);
  else if (op == AtomOp::kSet || op == AtomOp::kSwap)
    std::memcpy(address, &a, sizeof a);
  return old;
}

// ---- messages --------------------------------------------------------------------------------------------

namespace {

struct Request {
  std::uint64_t address, pending, old, code, a, b;
};
struct WideRequest {
  Request r;
  std::uint64_t a_high, b_high;
};
struct Reply {
  std::uint64_t pending, old, value;
};
struct WideReply {
  Reply r;
  std::uint64_t high;
};

// Does the operation need the long form?
bool is_wide(AtomType type, AtomOp op) noexcept {
  return type == AtomType::kPair || op == AtomOp::kMaskedCas;
}

void on_atomic_reply(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  WideReply w{};
  if (nargs != sizeof(Reply) / 4 && nargs != sizeof w / 4)
    fatal("a malformed result of an atomic operation from rank %u: %u arguments", token.source, nargs);
  std::memcpy(&w, args, nargs * 4);
  if (w.r.old != 0) *reinterpret_cast<AtomWord*>(w.r.old) = {w.r.value, w.high};
  reinterpret_cast<Pending*>(w.r.pending)->complete();
}

}  // namespace

void Atomics::on_request(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t,
                         void* self) {
  const Atomics& atomics = *static_cast<const Atomics*>(self);
  WideRequest w{};
  if (nargs != sizeof(Request) / 4 && nargs != sizeof w / 4)
    fatal("a malformed atomic operation from rank %u: %u arguments", token.source, nargs);
  std::memcpy(&w, args, nargs * 4);
  const auto type = static_cast<AtomType>(w.r.code & 0xff);
  const auto op = static_cast<AtomOp>(w.r.code >> 8);
  if (type > AtomType::kPair || w.r.code >> 8 > static_cast<unsigned>(AtomOp::kXor))
    fatal("a malformed atomic operation from rank %u: code %#llx", token.source,
          static_cast<unsigned long long>(w.r.code));
  if (!atomics.segments_->mine(*atomics.topology_, w.r.address, size_of(type)))
    fatal("rank %u wants to update %zu bytes at %#llx%s", token.source, size_of(type),
          static_cast<unsigned long long>(w.r.address),
          atomics.segments_->why_refused(*atomics.topology_, w.r.address).c_str());
  const AtomWord old =
      atomics.here(reinterpret_cast<void*>(w.r.address), type, op, {w.r.a, w.a_high}, {w.r.b, w.b_high});
  const Reply r{w.r.pending, w.r.old, old.low};
  if (type == AtomType::kPair)
    token.engine.reply(token,
                       internal_message(InternalHandler::kAtomicReply, to_args(WideReply{r, old.high})));
  else
    token.engine.reply(token, internal_message(InternalHandler::kAtomicReply, to_args(r)));
}

AtomWord Atomics::here(void* address, AtomType type, AtomOp op, AtomWord a, AtomWord b) const noexcept {
  if (type == AtomType::kPair) return on_pair(address, op, a, b);
  if (size_of(type) == 4) return {on_word<std::uint32_t>(address, type, op, a, b), 0};
  return {on_word<std::uint64_t>(address, type, op, a, b), 0};
}

// Conduits execute those operations on unsigned integers of 64 bits that their network has. Most are the same
// for signed ones.
bool Atomics::start_on_network(Rank at, std::uint64_t raddr, AtomType type, AtomOp op, AtomWord a, AtomWord b,
                               AtomWord* old, Pending& done) {
  Conduit& conduit = *conduit_;
  if (!conduit.caps().amo64 || is_wide(type, op)) return false;
  const bool signless = op != AtomOp::kMin && op != AtomOp::kMax;
  if (type != AtomType::kU64 && (type != AtomType::kI64 || !signless)) return false;
  std::uint64_t* const before = old != nullptr ? &old->low : nullptr;
  return start_native(*progress_, [&] { return conduit.amo64(at, raddr, op, a.low, b.low, before, done); });
}

void Atomics::start(Rank at, std::uint64_t raddr, AtomType type, AtomOp op, AtomWord a, AtomWord b,
                    AtomWord* old, Pending& done) {
  if (at == topology_->rank) {
    const AtomWord before = here(reinterpret_cast<void*>(raddr), type, op, a, b);
    if (old != nullptr) *old = before;
    return;
  }
  if (start_on_network(at, raddr, type, op, a, b, old, done)) return;
  const auto code = static_cast<std::uint64_t>(type) | static_cast<std::uint64_t>(op) << 8;
  const Request r{
      raddr, reinterpret_cast<std::uint64_t>(&done), reinterpret_cast<std::uint64_t>(old), code, a.low,
      b.low};
  done.add();
  if (is_wide(type, op))
    engine_->request(at, internal_message(InternalHandler::kAtomic, to_args(WideRequest{r, a.high, b.high})));
  else
    engine_->request(at, internal_message(InternalHandler::kAtomic, to_args(r)));
}

void Atomics::plan(MemoryFile& memory) { area_ = memory.reserve(kPairLocks * sizeof(PairLock), 64); }

void Atomics::attach(Conduit& conduit, AmEngine& engine, ProgressEngine& progress, const MemoryFile& memory,
                     const Topology& topology, const SegmentMap& segments) {
  conduit_ = &conduit;
  progress_ = &progress;
  engine_ = &engine;
  topology_ = &topology;
  segments_ = &segments;
  pair_locks_ = memory.at<PairLock>(area_);
  engine.set_internal(InternalHandler::kAtomic, on_request, this);
  engine.set_internal(InternalHandler::kAtomicReply, on_atomic_reply, nullptr);
}

}  // namespace upcr
