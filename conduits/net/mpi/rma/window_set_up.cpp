// SPDX-License-Identifier: BSD-3-Clause
// Creates, tries and frees windows. The data path is window.cpp.
#include <sched.h>

#include <algorithm>
#include <chrono>

#include "conduits/net/mpi/library/session.hpp"
#include "conduits/net/mpi/rma/window.hpp"

namespace upcr::mpi {
namespace {

constexpr int kTagTrial = 1;

// Joins the results of a set-up call: if it has failed on one process, no process uses a window.
bool all_true(MPI_Comm comm, bool succeeded) {
  int mine = succeeded ? 1 : 0, all = 0;
  check(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  return all != 0;
}

bool is_unified(MPI_Win window) {
  int* model = nullptr;
  int found = 0;
  return MPI_Win_get_attr(window, MPI_WIN_MODEL, &model, &found) == MPI_SUCCESS && found != 0 &&
         *model == MPI_WIN_UNIFIED;
}

void send(const void* data, int count, int peer, MPI_Comm comm) {
  MPI_Request request;
  check(MPI_Isend(data, count, MPI_INT, peer, kTagTrial, comm, &request), "MPI_Isend", peer);
  wait_with_yield(&request, "MPI_Isend");
}

void receive(void* data, int count, int peer, MPI_Comm comm) {
  MPI_Request request;
  check(MPI_Irecv(data, count, MPI_INT, peer, kTagTrial, comm, &request), "MPI_Irecv", peer);
  wait_with_yield(&request, "MPI_Irecv");
}

// Waits for `*word` to change, without calling MPI.
bool wait_for_value(const std::uint64_t* word, std::uint64_t value, std::chrono::milliseconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value) {
    if (std::chrono::steady_clock::now() > end) return false;
    ::sched_yield();
  }
  return true;
}

}  // namespace

bool Window::open(MPI_Comm comm, const Topology& topology, const SegmentMap& segments) {
  comm_ = comm;
  Slot most = 0;
  for (Rank r = 0; r < topology.size; ++r)
    most = std::max(most, topology.first_slot[r + 1] - topology.first_slot[r]);
  if (most > kMaxWindows) {
    why_not_ = "more than 16 UPC threads a process";
    return false;
  }
  if (segments.bytes == 0) {
    why_not_ = "there are no segments";
    return false;
  }
  for (Slot nth = 0; nth < most; ++nth)
    if (!create_one(comm, topology, segments, nth)) {
      close();
      return false;
    }
  rank_ = topology.rank;
  first_slot_ = topology.first_slot;
  base_.assign(segments.remote.begin(), segments.remote.end());
  for (std::uint64_t& base : base_) base += segments.null_bytes;
  segment_bytes_ = segments.bytes - segments.null_bytes;
  mine_ = reinterpret_cast<char*>(segments.mapped[topology.my_first_slot()] + segments.null_bytes);
  puts_moving_.assign(topology.slots(), 0);
  copies_ = std::make_unique_for_overwrite<char[]>(kMaxOperations * kSmall);
  for (unsigned i = 0; i < kMaxOperations; ++i) free_copies_.push_back(copies_.get() + i * kSmall);
  return true;
}

// Creates the window over the nth slot of each process, without its reserved page.
bool Window::create_one(MPI_Comm comm, const Topology& topology, const SegmentMap& segments, Slot nth) {
  const bool have = nth < topology.my_slots();
  void* const memory =
      have ? reinterpret_cast<void*>(segments.mapped[topology.my_first_slot() + nth] + segments.null_bytes)
           : nullptr;
  const auto bytes = static_cast<MPI_Aint>(have ? segments.bytes - segments.null_bytes : 0);
  MPI_Win window = MPI_WIN_NULL;
  const bool made = MPI_Win_create(memory, bytes, 1, MPI_INFO_NULL, comm, &window) == MPI_SUCCESS;
  if (!all_true(comm, made)) {
    why_not_ = "the library cannot make one over this network";
    return false;  // a process that has one keeps it: freeing is collective
  }
  check(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window), "MPI_Win_lock_all");
  windows_.push_back(window);
  if (!all_true(comm, is_unified(window))) {
    why_not_ = "the library keeps window and memory apart (it is not MPI_WIN_UNIFIED)";
    return false;
  }
  return true;
}

void Window::close() {
  for (MPI_Win& window : windows_) {
    check(MPI_Win_unlock_all(window), "MPI_Win_unlock_all");
    check(MPI_Win_free(&window), "MPI_Win_free");
  }
  windows_.clear();
  if (comm_ != MPI_COMM_NULL) check(MPI_Comm_free(&comm_), "MPI_Comm_free");
}

bool Window::is_asynchronous(Rank origin, Rank target, unsigned timeout_ms) {
  const int o = static_cast<int>(origin), t = static_cast<int>(target);
  auto* const words = reinterpret_cast<std::uint64_t*>(mine_ + segment_bytes_) - 2;
  int yes = 0;
  if (rank_ == target) {
    const std::chrono::milliseconds timeout(timeout_ms);
    send(nullptr, 0, o, comm_);
    // The second word is put when the flush of the first has returned, without an MPI call of the target
    // between.
    yes = wait_for_value(&words[0], 1, timeout) && wait_for_value(&words[1], 1, timeout) ? 1 : 0;
    send(&yes, 1, o, comm_);
    receive(nullptr, 0, o, comm_);
    words[0] = words[1] = 0;
  } else {
    const std::uint64_t one = 1;
    const auto at = static_cast<MPI_Aint>(segment_bytes_ - 2 * sizeof one);
    receive(nullptr, 0, t, comm_);
    for (int i = 0; i < 2; ++i) {
      check(MPI_Put(&one, sizeof one, MPI_BYTE, t, at + i * MPI_Aint{sizeof one}, sizeof one, MPI_BYTE,
                    windows_[0]),
            "MPI_Put", t);
      check(MPI_Win_flush(t, windows_[0]), "MPI_Win_flush", t);
    }
    receive(&yes, 1, t, comm_);
    send(nullptr, 0, t, comm_);
  }
  return yes != 0;
}

}  // namespace upcr::mpi
