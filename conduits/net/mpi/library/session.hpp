// SPDX-License-Identifier: BSD-3-Clause
// What this process has of MPI: who initialised it, at which thread level, and who will finalize it. Used by
// this folder's conduit, bootstrap and window; one per process. Set-up time, main thread, but for check().
//
// The program may use MPI itself. Its calls and ours meet in the library only: what we send travels on
// communicators of our own, with an error handler of our own, and MPI_Finalize is left to whoever
// initialised.
#pragma once
#include <mpi.h>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/base/system/status.hpp"

namespace upcr::mpi {

// "Open MPI 4.1.4", as the library calls itself.
const char* library_version() noexcept;

class Session {
 public:
  // Initialises MPI, or joins what is initialised already; counted, collective over the job the first time.
  // Asks for MPI_THREAD_SERIALIZED: it costs these libraries nothing, where MPI_THREAD_MULTIPLE makes every
  // call dearer, and a lock of ours keeps our own threads apart.
  void open();
  // The last one finalizes MPI if open() initialised it, and sees to it that MPI_Finalize returns, whoever
  // calls it. Collective.
  void close();

  bool is_open() const noexcept { return users_ != 0; }
  bool ours() const noexcept { return ours_; }          // we initialised
  int thread_level() const noexcept { return level_; }  // what MPI grants, an MPI_THREAD_ constant
  Rank rank() const noexcept { return rank_; }          // in MPI_COMM_WORLD
  Rank size() const noexcept { return size_; }
  // Held around every MPI call of ours while several threads of this process may be in the library
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

// A communicator of all processes for our own messages: its errors are returned, for check(). Collective.
// Free it with MPI_Comm_free before Session::close().
MPI_Comm duplicate_world();

// Ends the job with the operation, the peer and MPI's own words.
[[noreturn]] void fail(int code, const char* operation, int peer);
inline constexpr int kNoPeer = -1;
inline void check(int code, const char* operation, int peer = kNoPeer) {
  if (__builtin_expect(code != MPI_SUCCESS, 0)) fail(code, operation, peer);
}

// Waits for a request and gives the processor away meanwhile: to whom it waits for. Takes the lock around
// each look when `locked`. Set-up and end only.
void wait_with_yield(MPI_Request* request, const char* operation, bool locked = false);

// The name of an MPI_THREAD_ constant.
const char* thread_level_name(int level) noexcept;

}  // namespace upcr::mpi
