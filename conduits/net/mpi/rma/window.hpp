// SPDX-License-Identifier: BSD-3-Clause
// Remote access through MPI windows over our own segments: one window for each UPC thread of a process, held
// open for all_true from open() to close() (MPI_Win_lock_all). Used by the conduit, which holds its lock
// around every call when the process has several threads; open(), close() and is_asynchronous() on the main
// thread.
//
// A get is complete when its request is, which MPI_Testsome tests: it does not wait for the target. A put is
// complete when its data is visible at the target, and only MPI_Win_flush shows that, which waits. If the
// library moves data without the target's processor (Open MPI on one host, networks with RDMA) the flush
// takes the time of a transfer. If the target has to take part, a poll that flushes would wait until a
// process that computes calls MPI again, and so would all that wait for a reply of this process; a cycle of
// such waits is a deadlock. So is_asynchronous() finds out which of the two it is, and puts are for the first
// kind only.
//
// MPI guarantees no atomicity towards the target's processor, so aligned accesses of 1, 2, 4 and 8 bytes are
// messages, and so are atomic operations.
//
// At most 64 operations and 16 MiB are in progress, in pieces of at most 4 MiB: no count overflows an int,
// and no flush waits for more than that. Memory: 4 bytes for each UPC thread of the job, 256 KiB for sources
// that are reusable at once. No order is kept.
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "conduits/core/base/system/status.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/model/completion.hpp"
#include "conduits/core/model/topology.hpp"

namespace upcr::mpi {

class Window {
 public:
  // Collective. `comm`: of all processes, in rank order, with an error handler that returns; the window's own
  // from now on. False: there is no window on any process, and why_not() says why.
  bool open(MPI_Comm comm, const Topology& topology, const SegmentMap& segments);
  // Collective; no operation is in progress any more.
  void close();
  const char* why_not() const noexcept { return why_not_; }
  MPI_Comm comm() const noexcept { return comm_; }
  bool is_open() const noexcept { return !windows_.empty(); }

  // Finds out by trying: do puts arrive, and flushes return, while the target is outside MPI? Called by
  // `origin` and `target` only; both get the result. The target waits at most `timeout_ms` for the data.
  // Uses the last bytes of the target's segment and leaves them zero.
  bool is_asynchronous(Rank origin, Rank target, unsigned timeout_ms);

  // As Conduit::put and get. kNotSupported: messages are faster, or the only correct way.
  Status put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
             Pending* local);
  Status get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done);
  // Makes progress; returns how many operations it has completed.
  unsigned poll() { return count_ == 0 ? 0 : progress(); }
  bool busy() const noexcept { return count_ != 0; }

 private:
  static constexpr unsigned kMaxOperations = 64;
  static constexpr std::size_t kMaxBytes = 16 << 20;
  static constexpr std::size_t kPiece = 4 << 20;
  static constexpr std::size_t kSmall = 4096;  // puts up to this have no request: the flush is enough
  static constexpr Slot kMaxWindows = 16;

  // A remote address, as MPI names it.
  struct WindowAddress {
    Rank rank;
    unsigned window;
    MPI_Aint offset;
  };
  enum class State : std::uint8_t {
    kMoving,  // a piece has a request
    kSent,    // a put whose source may be reused: the next flush completes it
    kDone,
  };
  struct Operation {
    WindowAddress address;
    char* at;          // of this side's memory: what has not been started
    std::size_t left;  // bytes
    std::size_t counted;
    Pending* done;
    Pending* local;  // may be null
    char* copy;      // of the source, or null
    bool is_put;
    State state;
  };

  bool create_one(MPI_Comm comm, const Topology& topology, const SegmentMap& segments, Slot nth);
  bool locate(Rank rank, std::uint64_t raddr, std::size_t bytes, WindowAddress* address) const noexcept;
  bool has_room(std::size_t bytes) const noexcept;
  Operation& begin(const WindowAddress& address, const void* at, std::size_t bytes, Pending& done,
                   bool is_put);
  void start_piece(unsigned nth);
  void put_now(Operation& op);
  unsigned progress();
  void complete_requests();
  void flush_sent();
  unsigned sweep();
  unsigned slot_of(const WindowAddress& address) const noexcept {
    return first_slot_[address.rank] + address.window;
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  std::vector<MPI_Win> windows_;
  const char* why_not_ = "not requested";
  Rank rank_ = 0;
  FirstSlots first_slot_;                   // of each rank, and one more
  std::vector<std::uint64_t> base_;         // of each slot: its address in its own process
  std::size_t segment_bytes_ = 0;           // of each
  char* mine_ = nullptr;                    // this process's first segment
  std::vector<std::uint32_t> puts_moving_;  // to each slot

  // Dense: the first count_ are in use, and requests_[i] belongs to operations_[i].
  unsigned count_ = 0;
  unsigned moving_ = 0;  // of them, those with a request
  unsigned sent_ = 0;    // of them, those that wait for a flush
  std::size_t bytes_ = 0;
  Operation operations_[kMaxOperations];
  MPI_Request requests_[kMaxOperations];
  std::unique_ptr<char[]> copies_;  // kMaxOperations of kSmall bytes
  std::vector<char*> free_copies_;
};

}  // namespace upcr::mpi
