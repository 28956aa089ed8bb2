// SPDX-License-Identifier: BSD-3-Clause
// The MPI library in this process: whether upcr or the program has initialised it, its thread level, and its
// end. Used by the conduit, the bootstrap and the window; one per process. Main thread, at start-up, but for
// check().
//
// The program may use MPI itself. upcr's messages travel on communicators of its own, with an error handler
// of its own, and MPI_Finalize is left to the program if the program has initialised MPI.
#pragma once
#include <mpi.h>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/base/system/status.hpp"

namespace upcr::mpi {

// "Open MPI 4.1.4", as the library calls itself.
const char* library_version() noexcept;

class Session {
 public:
  // Initialises MPI, unless the program has. Calls are counted; the first one is collective over the job.
  // Asks for MPI_THREAD_SERIALIZED, which costs these libraries nothing, while MPI_THREAD_MULTIPLE makes
  // every call slower; lock() keeps upcr's threads apart.
  void open();
  // The last call finalizes MPI if open() has initialised it, and makes sure that MPI_Finalize returns,
  // whoever calls it (quiesce.hpp). Collective.
  void close();

  bool is_open() const noexcept { return users_ != 0; }
  bool ours() const noexcept { return ours_; }          // initialised by open()
  int thread_level() const noexcept { return level_; }  // an MPI_THREAD_ constant
  Rank rank() const noexcept { return rank_; }          // in MPI_COMM_WORLD
  Rank size() const noexcept { return size_; }
  // Held around every MPI call of upcr if several threads of this process may be in the library
  // (AttachInfo::multithreaded); not while a handler runs.
  SpinLock& lock() noexcept { return lock_; }

 private:
  unsigned users_ = 0;
  bool ours_ = false;
  int level_ = MPI_THREAD_SINGLE;
  Rank rank_ = 0, size_ = 1;
  SpinLock lock_;
};
Session& session() noexcept;

// A communicator of all processes for upcr's own messages, which returns errors, for check(). Collective. To
// be freed with MPI_Comm_free before Session::close().
MPI_Comm duplicate_world();

// Ends the job with the operation, the peer and MPI's error text.
[[noreturn]] void fail(int code, const char* operation, int peer);
inline constexpr int kNoPeer = -1;
inline void check(int code, const char* operation, int peer = kNoPeer) {
  if (__builtin_expect(code != MPI_SUCCESS, 0)) fail(code, operation, peer);
}

// Waits for a request, and yields the CPU meanwhile. For the start and the end of the job.
void wait_with_yield(MPI_Request* request, const char* operation);

// The name of an MPI_THREAD_ constant.
const char* thread_level_name(int level) noexcept;

}  // namespace upcr::mpi
