// SPDX-License-Identifier: BSD-3-Clause
// The conduit interface: the functions that a network must provide. docs/how-to/adding-a-conduit.md explains
// it step by step. A conduit with the required functions passes the whole conformance suite; the optional
// ones only make it faster (core/rma falls back to active messages).
//
// Threads: am_send, put, get, amo64, begin_batch and end_batch may be called by several threads at once if
// AttachInfo::multithreaded; poll by one at a time (core holds the poll lock).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "conduits/core/base/system/status.hpp"
#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/model/am_packet.hpp"
#include "conduits/core/model/atomic_op.hpp"
#include "conduits/core/model/completion.hpp"

namespace upcr {

class AmEngine;
class Bootstrap;
class Doorbells;
class MemoryFile;
class Rings;
struct SegmentMap;
struct Topology;

// Constant after attach(); max_medium from the start, because clients may ask for it before attach().
struct Caps {
  bool rma_put = false, rma_get = false, amo64 = false;
  bool shares_memory_only = false;  // every peer is reached through the host's shared memory: a waiting
                                    // thread may sleep on its doorbell, no wait_fd needed
  bool poll_yields = false;         // a poll() that finds nothing has called sched_yield: the caller need not
  bool checksums = false;           // packets carry checksums if the job asks for them (packet_check.hpp)
  std::size_t max_medium = 0;       // payload bytes that one packet carries
  std::size_t pipelined = 0;        // payload bytes of each of several packets in a row with which the target
                                    // is busy while the next one is made; 0: max_medium
  std::size_t max_bulk = 0;         // payload bytes of am_send_bulk(); 0: there is none
  std::size_t max_rma = SIZE_MAX;   // bytes of one put or get; core cuts larger ones into pieces
  std::size_t max_inline = 0;       // the same for a put whose source is reusable on return (`local` null);
                                    // 0: as max_rma. Neither cuts an aligned word
};

// The objects of its job that a conduit may use. They outlive it.
struct AttachInfo {
  Bootstrap& bootstrap;
  const Topology& topology;
  const SegmentMap& segments;
  MemoryFile& memory_file;  // of this host, mapped already
  const Doorbells& doorbells;
  bool multithreaded;
  bool everything;      // remote access may name any address, segments are not used
  bool oversubscribed;  // this process's machine has more UPC threads than CPUs
};

// Receives the packets that poll() delivers.
class AmSink {
 public:
  // Runs the handler, which may send one reply (am_send with kAmReply) to the packet's source.
  virtual void deliver(const AmArrival& arrival) = 0;
  // False: requests are not to be delivered now, only replies. Asked once a poll(), or once for each peer.
  virtual bool accepts_requests() const = 0;

 protected:
  ~AmSink() = default;
};

class UPCR_MODULE_API Conduit {
 public:
  virtual ~Conduit() = default;
  const Caps& caps() const noexcept { return caps_; }
  virtual const char* name() const noexcept = 0;
  // After attach(): a description of the network for users, in one line.
  virtual std::string describe() const;
  // Further details, for upcr_info --network: any number of lines, the last one without a newline.
  virtual std::string details() const;

  // Before the host's shared memory is created: reserves what this conduit needs in it
  // (MemoryFile::reserve). Optional.
  virtual void plan(MemoryFile& memory_file, const Topology& topology);
  // Collective. Reports its own failures.
  virtual Status attach(const AttachInfo& info) = 0;
  // The engine over this conduit calls it after attach() and before the first message: for a conduit that
  // polls through the engine while it detaches, or sends messages of its own.
  virtual void set_engine(AmEngine* engine) noexcept { engine_ = engine; }
  // Sends one packet of at most caps().max_medium payload bytes. The conduit's header states which packets
  // keep their order; the engine relies on none. kNoResource: nothing has happened, poll and try again. Never
  // waits, polls or runs a handler.
  //
  // A reply sent from inside deliver() is never refused. That is why there is no deadlock: poll() delivers a
  // request only if a reply of the largest size to its source can be sent without waiting, and it always
  // delivers replies; so a thread that polls while it waits drains the replies, and then its peers have room
  // to process requests. The engine sends replies outside deliver() as well, under the poll lock (what is
  // left of a Long reply that fills several packets); those may be refused.
  virtual Status am_send(Rank to, const AmPacket& packet) = 0;
  // As am_send(), of a Medium request whose payload may have caps().max_bulk bytes and arrives in one piece,
  // of which at most kMaxBulkPrefix are its prefix. Its body is not copied here: it is read until `local`
  // completes, or is free again on return. kNotSupported: not to this process, or not in this job. Optional.
  virtual Status am_send_bulk(Rank to, const AmPacket& packet, Pending& local);
  // Delivers about `budget` packets and completes operations; nothing else does. Returns how many.
  virtual unsigned poll(unsigned budget, AmSink& sink) = 0;
  // Collective. Returns when everything that was sent has been delivered.
  virtual Status detach() = 0;

  // Would poll() find work? Asked before a thread sleeps; cheap, any thread. Default: true.
  virtual bool pending() const noexcept;
  // For networks that can wake a sleeping process. wait_fd(): a file descriptor that core waits for, constant
  // after attach(); -1: there is none, and threads nap. arm(): true if poll() has no work now, and then the
  // descriptor becomes readable when it has some, and stays so until the next arm(); false if poll() has work
  // already, or is to be called again before anything arrives. Work is whatever makes am_send(), put() or
  // poll() worth calling: packets, completions, room. Any thread, several at once; not under the poll lock.
  virtual int wait_fd();
  virtual bool arm();

  // The rings in shared memory (rings/rings.hpp) through which messages of this conduit go, to all other
  // processes or to some (Rings::reach); null: there are none. The engine then calls these rings instead of
  // am_send(), and polls them more often than it calls poll(), or without ever calling it
  // (Rings::carry_everything); am_send() and poll() must do the same. A network's conduit need not have any:
  // its messages between neighbours never reach it (conduits/net/neighbours). Constant after attach().
  virtual Rings* rings() noexcept;

  // Remote memory access. `raddr` is an address in the target process, inside its segments.
  // kOk: complete, the Pending untouched. kInProgress: the conduit has called add() and will call complete()
  // from poll(). kNotSupported: core uses active messages. kNoResource: core polls and tries again.
  // put: `remote` completes when the data is visible at the target; the source may be reused when `local`
  // completes or, if `local` is null, on return (whatever the size, without waiting for the target).
  virtual Status put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
                     Pending* local);
  virtual Status get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done);
  virtual Status amo64(Rank at, std::uint64_t raddr, AtomOp op, std::uint64_t a, std::uint64_t b,
                       std::uint64_t* old, Pending& done);
  // Around puts and gets that the calling thread starts one after another, to or from that process, without
  // waiting for them: the conduit may keep them to start them together, until end_batch() or the next poll()
  // at the latest. What else is started meanwhile, by any thread, keeps its order with them. They may nest,
  // and overlap with those of other threads: an inner one's end may end the outer one. Optional.
  virtual void begin_batch(Rank peer);
  virtual void end_batch(Rank peer);

 protected:
  Caps caps_{};
  AmEngine* engine_ = nullptr;
};

}  // namespace upcr
