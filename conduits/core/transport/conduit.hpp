// SPDX-License-Identifier: BSD-3-Clause
// The conduit interface: what a network must offer. docs/adding-a-conduit.md walks through it.
// A conduit with the four required functions passes the whole conformance suite; the optional ones only
// make it faster (core/rma falls back to active messages).
//
// Threads: am_send, put, get and amo64 may be called by several threads at once when
// AttachInfo::multithreaded; poll by one at a time (core holds the poll lock).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "conduits/core/base/system/status.hpp"
#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/model/am_packet.hpp"
#include "conduits/core/model/completion.hpp"

namespace upcr {

class Bootstrap;
class MemoryFile;
class Rings;
struct Topology;

enum class AmoOp : std::uint8_t { kGet, kSet, kSwap, kCas, kAdd, kAnd, kOr, kXor };

// Constant after attach(); max_medium is known from the start if a client is to learn it before attach.
struct Caps {
  bool rma_put = false, rma_get = false, amo64 = false;
  bool shares_memory_only = false;  // every peer is reached through the host's shared memory: a waiting
                                    // thread may sleep on its doorbell, no wait_fd needed
  bool poll_yields = false;         // a poll() that takes nothing has called sched_yield: who waits need not
  bool checksums = false;           // its packets carry checksums where the job wants them (packet_check.hpp)
  std::size_t max_medium = 0;       // bytes of payload that one packet carries
  std::size_t max_rma = SIZE_MAX;   // bytes of one put or get; core cuts larger ones into pieces
  std::size_t max_inline = 0;       // the same for a put whose source is wanted back at once (`local` null);
                                    // 0: as max_rma. Neither cuts an aligned word
};

struct AttachInfo {
  Bootstrap& bootstrap;
  const Topology& topology;
  MemoryFile& memory_file;  // the machine's, mapped already
  bool multithreaded;
};

// Receives what poll() takes off the wire.
class AmSink {
 public:
  // The handler runs inside. May send one reply (am_send with kAmReply) to the packet's source.
  virtual void deliver(const AmArrival& arrival) = 0;
  // The same for core/am/rings.hpp, of a packet of which it knows that it has no payload.
  void deliver_slot(const AmArrival& arrival) { deliver(arrival); }
  // False while requests are to be left on the wire; replies are taken all the same. Asked once a poll(), or
  // once for each peer.
  virtual bool accepts_requests() const = 0;

 protected:
  ~AmSink() = default;
};

class UPCR_MODULE_API Conduit {
 public:
  virtual ~Conduit() = default;
  const Caps& caps() const noexcept { return caps_; }
  virtual const char* name() const noexcept = 0;
  // After attach(): what a user may want to know about the network, in one line.
  virtual std::string describe() const;
  // Likewise, for upcr_info --network: as many lines as it takes, the last one without its end. Empty:
  // nothing.
  virtual std::string details() const;

  // Before the machine's shared memory is created: what this conduit needs in it (MemoryFile::reserve).
  // Optional.
  virtual void plan(MemoryFile& memory_file, const Topology& topology);
  // Collective. Reports its own failures.
  virtual Status attach(const AttachInfo& info) = 0;
  // Sends one packet of at most caps().max_medium payload bytes. Packets between two processes keep their
  // order only if nothing is said otherwise in the conduit's header; the engine does not rely on it.
  // kNoResource: nothing happened, poll and try again. Never waits, polls or runs a handler.
  //
  // A reply sent from inside deliver() is never refused. That is the deadlock argument: poll() delivers a
  // request only when a reply of the largest size to its source can be sent without waiting, and replies
  // are always delivered; so whoever waits while polling drains the replies, which frees the peer to take
  // requests. Outside deliver() the engine sends replies too, under the poll lock (the rest of a Long reply
  // that fills several packets); those may be refused.
  virtual Status am_send(Rank to, const AmPacket& packet) = 0;
  // Delivers up to `budget` packets and completes operations; the only place that does. Returns how many.
  virtual unsigned poll(unsigned budget, AmSink& sink) = 0;
  // Collective: everything sent has been delivered.
  virtual Status detach() = 0;

  // True when poll() would find work; cheap, any thread. Asked before sleeping. Default: true.
  virtual bool pending() const noexcept;
  // Sleeping until something arrives, for networks that can tell. wait_fd(): a file descriptor that core
  // waits for; constant after attach(), -1: there is none, threads nap. It counts from arm() on: true means
  // that it becomes readable, and stays so until the next arm(), when poll() has work that there is none of
  // now; false, that poll() has work already or wants to be called again before anything arrives. Work is
  // whatever makes am_send(), put() or poll() worth calling: packets, completions, room. Any thread, several
  // at once; not while it holds the poll lock.
  virtual int wait_fd();
  virtual bool arm();

  // A conduit whose messages all go through rings in shared memory: these. The engine then sends and polls by
  // them itself, without am_send() and poll(), which must do the same. Constant after attach(); nullptr:
  // none.
  virtual Rings* rings() noexcept;

  // Remote memory access. `raddr` is an address in the target process, inside its segments.
  // kOk: complete, the Pending untouched. kInProgress: the conduit called add() and will call complete()
  // from poll(). kNotSupported: core uses active messages.
  // put: `remote` completes when the data is visible at the target; the source may be reused when `local`
  // completes, or on return when `local` is null (whatever the size, without waiting for the far end).
  virtual Status put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
                     Pending* local);
  virtual Status get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done);
  virtual Status amo64(Rank at, std::uint64_t raddr, AmoOp op, std::uint64_t a, std::uint64_t b,
                       std::uint64_t* old, Pending& done);

 protected:
  Caps caps_{};
};

}  // namespace upcr
