// SPDX-License-Identifier: BSD-3-Clause
// The protocol is a rendezvous that the receiver starts: kReady(key, buffer) to the sender; then
// kFragment(receive, offset) with data, or a put and kFin(receive). Barriers: kVote(key, vote).
#include "conduits/api/gasnet/coll/call.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "conduits/api/gasnet/coll/call_scheduler.hpp"
#include "conduits/api/gasnet/coll/handlers.hpp"
#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/operation.hpp"
#include "conduits/core/am/args.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/memory/copy.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/progress/progress_work.hpp"
#include "conduits/core/rma/rma.hpp"

namespace upcr::gasnet::coll {
namespace {

// From here on data goes by remote access where the buffer is in a segment: it costs a message more.
constexpr std::size_t kMinRemoteAccess = 16 << 10;

// Whether buffers of 0 bytes are announced, so that a sender of another size detects the mismatch.
#if UPCR_DEBUG
constexpr bool kAnnounceEmpty = true;
#else
constexpr bool kAnnounceEmpty = false;
#endif

template <typename Message>
struct KeyedArgs {
  Key key;
  Message message;
};
// A buffer that is ready to receive.
struct Ready {
  std::uint64_t receive, address, bytes;
};
struct FragmentArgs {
  std::uint64_t receive, offset;
};
struct FinArgs {
  std::uint64_t receive, bytes;
};

Receive& receive_of(std::uint64_t pointer) { return *reinterpret_cast<Receive*>(pointer); }

template <typename Message>
void on_keyed(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto keyed =
      from_args<KeyedArgs<Message>>(args, nargs, token.source, "control message of a collective");
  mailbox().put(keyed.key, keyed.message);
}

void on_fragment(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
                 void*) {
  const auto fragment = from_args<FragmentArgs>(args, nargs, token.source, "fragment of a collective's data");
  Receive& r = receive_of(fragment.receive);
  if (fragment.offset > r.bytes || bytes > r.bytes - fragment.offset)
    fatal("node %u sends %zu bytes at offset %llu of a collective's data of %zu bytes", token.source, bytes,
          static_cast<unsigned long long>(fragment.offset), r.bytes);
  std::memcpy(r.data + fragment.offset, data, bytes);
  r.complete(bytes);
}

void on_fin(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto fin = from_args<FinArgs>(args, nargs, token.source, "end of a collective's transfer");
  Receive& r = receive_of(fin.receive);
  if (fin.bytes != r.bytes)
    fatal("node %u has put %llu bytes of a collective's data of %zu bytes", token.source,
          static_cast<unsigned long long>(fin.bytes), r.bytes);
  r.complete(fin.bytes);
}

template <typename Message>
void send_keyed(Rank node, InternalHandler handler, const Key& key, const Message& message) {
  if (node != gasneti_state.mynode)
    return job().engine->request(node, internal_message(handler, to_args(KeyedArgs<Message>{key, message})));
  mailbox().put(key, message);
  call_scheduler().note_local_progress();
}

bool in_segment(Rank node, std::uint64_t address, std::size_t bytes) {
  const gasneti_peer_t& peer = gasneti_state.peers[node];
  return address >= peer.addr && address - peer.addr <= peer.size &&
         bytes <= peer.size - (address - peer.addr);
}

}  // namespace

struct Call::Outgoing {
  enum State { kAwaitReady, kFragments, kPut, kDone } state = kAwaitReady;
  Transfer transfer{};
  std::uint64_t receive = 0;
  std::size_t sent = 0;  // in fragments
  Pending stored;

  // Tries to send the rest; stops when the engine accepts no more.
  void send_fragments(Rank node) {
    AmEngine& engine = *job().engine;
    while (sent < transfer.bytes) {
      const std::size_t n = std::min(engine.max_medium(), transfer.bytes - sent);
      const auto args = to_args(FragmentArgs{receive, sent});
      const char* const from = static_cast<const char*>(transfer.data) + sent;
      if (engine.try_request(node, internal_message(GasnetHandler::kFragment, args, from, n)) != Status::kOk)
        return job().progress.work().poll_again();
      sent += n;
    }
    state = kDone;
  }
  // After a put that is complete: sends the end when the engine accepts it.
  void send_fin(Rank node) {
    const auto args = to_args(FinArgs{receive, transfer.bytes});
    if (job().engine->try_request(node, internal_message(GasnetHandler::kFin, args)) == Status::kOk)
      state = kDone;
    else
      job().progress.work().poll_again();
  }
};

void Call::post(Receive& r, TeamRank from, std::uint32_t step, void* data, std::size_t bytes) {
  r.data = static_cast<char*>(data);
  r.bytes = bytes;
  r.missing.store(bytes, std::memory_order_relaxed);
  if (bytes == 0 && !kAnnounceEmpty) return;
  send_keyed(member.node(from), GasnetHandler::kReady, {member.group->id, sequence, from, rank(), step},
             Ready{reinterpret_cast<std::uint64_t>(&r), reinterpret_cast<std::uint64_t>(data), bytes});
}

// True when it is done.
bool Call::advance(Outgoing& out) {
  const Transfer& t = out.transfer;
  const Rank node = member.node(t.to);
  if (out.state == Outgoing::kAwaitReady) {
    Ready ready;
    if (!mailbox().take({member.group->id, sequence, rank(), t.to, t.step}, ready)) return false;
    out.receive = ready.receive;
    if (ready.bytes != t.bytes)
      fatal(
          "%s: rank %u expects %llu bytes from rank %u, which sends %zu: do all images of the team make the "
          "same collective calls, with the same sizes and root, in the same order?",
          function, t.to, static_cast<unsigned long long>(ready.bytes), rank(), t.bytes);
    if (t.bytes == 0) {  // its receiver does not wait
      out.state = Outgoing::kDone;
      return true;
    }
    void* const address = reinterpret_cast<void*>(ready.address);
    if (node == gasneti_state.mynode) {
      std::memcpy(address, t.data, t.bytes);
      receive_of(out.receive).complete(t.bytes);
      call_scheduler().note_local_progress();
    } else if (t.bytes < kMinRemoteAccess || !in_segment(node, ready.address, t.bytes)) {
      out.state = Outgoing::kFragments;
    } else if (void* const here = mapped_here(node, address)) {
      atomic_copy(here, t.data, t.bytes);
      std::atomic_thread_fence(std::memory_order_release);
      out.state = Outgoing::kPut;
    } else if (job().conduit->caps().rma_put) {
      job().rma.put(node, ready.address, t.data, t.bytes, out.stored, &out.stored);
      out.state = Outgoing::kPut;
    } else {
      out.state = Outgoing::kFragments;
    }
    if (out.state == Outgoing::kAwaitReady) out.state = Outgoing::kDone;
  }
  if (out.state == Outgoing::kFragments) out.send_fragments(node);
  if (out.state == Outgoing::kPut && out.stored.done()) out.send_fin(node);
  return out.state == Outgoing::kDone;
}

Task Call::send(std::vector<Transfer> transfers) {
  if (!kAnnounceEmpty) std::erase_if(transfers, [](const Transfer& t) { return t.bytes == 0; });
  const std::size_t count = transfers.size();
  const auto all = std::make_unique<Outgoing[]>(count);
  for (std::size_t i = 0; i < count; ++i) all[i].transfer = transfers[i];
  co_await until([&] {
    bool all_done = true;
    for (std::size_t i = 0; i < count; ++i)
      if (all[i].state != Outgoing::kDone && !advance(all[i])) all_done = false;
    return all_done;
  });
}

void Call::send_vote(TeamRank to, std::uint32_t step, const Vote& v) {
  send_keyed(member.node(to), GasnetHandler::kVote, {member.group->id, sequence, to, rank(), step}, v);
}

bool Call::take_vote(TeamRank from, std::uint32_t step, Vote& v) {
  return mailbox().take({member.group->id, sequence, rank(), from, step}, v);
}

void Call::start(Task task) {
  task_ = std::move(task);
  call_scheduler().start(*this);
}

void Call::wait() {
  job().progress.wait_until(my_slot(), {function, sequence, WaitFor::kCollective}, [this] { return done(); });
}

// True when it was resumed.
bool Call::resume_if_ready() {
  if (!suspended_) {
    task_.start();
    return true;
  }
  if (!holds_(awaiter_)) return false;
  suspended_.resume();
  return true;
}

void attach(AmEngine& engine) {
  engine.set_internal(GasnetHandler::kReady, on_keyed<Ready>, nullptr);
  engine.set_internal(GasnetHandler::kVote, on_keyed<Vote>, nullptr);
  engine.set_internal(GasnetHandler::kFragment, on_fragment, nullptr);
  engine.set_internal(GasnetHandler::kFin, on_fin, nullptr);
  call_scheduler().attach();
}

}  // namespace upcr::gasnet::coll
