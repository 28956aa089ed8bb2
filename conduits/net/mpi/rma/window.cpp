// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/rma/window.hpp"

#include <algorithm>
#include <cstring>

#include "conduits/net/mpi/library/session.hpp"

namespace upcr::mpi {
namespace {

// Sizes that UPCR_ATOMIC_MEMSIZE promises to arrive in one piece.
bool is_one_access(std::uint64_t raddr, std::size_t bytes) noexcept {
  return bytes <= 8 && (bytes & (bytes - 1)) == 0 && raddr % bytes == 0;
}

}  // namespace

bool Window::locate(Rank rank, std::uint64_t raddr, std::size_t bytes,
                    WindowAddress* address) const noexcept {
  for (Slot s = first_slot_[rank]; s < first_slot_[rank + 1]; ++s) {
    const std::uint64_t offset = raddr - base_[s];
    if (offset > segment_bytes_ || bytes > segment_bytes_ - offset) continue;
    *address = {rank, s - first_slot_[rank], static_cast<MPI_Aint>(offset)};
    return true;
  }
  return false;
}

bool Window::has_room(std::size_t bytes) const noexcept {
  return count_ < kMaxOperations && (bytes_ == 0 || bytes_ + std::min(bytes, kPiece) <= kMaxBytes);
}

Window::Operation& Window::begin(const WindowAddress& address, const void* at, std::size_t bytes,
                                 Pending& done, bool is_put) {
  Operation& op = operations_[count_];
  requests_[count_] = MPI_REQUEST_NULL;
  ++count_;
  op = {address,       static_cast<char*>(const_cast<void*>(at)),
        bytes,         std::min(bytes, kPiece),
        &done,         nullptr,
        nullptr,       is_put,
        State::kMoving};
  bytes_ += op.counted;
  done.add();
  return op;
}

// Starts the next piece of an operation, with a request.
void Window::start_piece(unsigned nth) {
  Operation& op = operations_[nth];
  const std::size_t n = std::min(op.left, kPiece);
  const int count = static_cast<int>(n), peer = static_cast<int>(op.address.rank);
  MPI_Win window = windows_[op.address.window];
  if (op.is_put)
    check(MPI_Rput(op.at, count, MPI_BYTE, peer, op.address.offset, count, MPI_BYTE, window, &requests_[nth]),
          "MPI_Rput", peer);
  else
    check(MPI_Rget(op.at, count, MPI_BYTE, peer, op.address.offset, count, MPI_BYTE, window, &requests_[nth]),
          "MPI_Rget", peer);
  op.at += n;
  op.left -= n;
  op.address.offset += static_cast<MPI_Aint>(n);
}

// Starts all of a put, without requests.
void Window::put_now(Operation& op) {
  const int peer = static_cast<int>(op.address.rank);
  while (op.left != 0) {
    const std::size_t n = std::min(op.left, kPiece);
    const int count = static_cast<int>(n);
    check(MPI_Put(op.at, count, MPI_BYTE, peer, op.address.offset, count, MPI_BYTE,
                  windows_[op.address.window]),
          "MPI_Put", peer);
    op.at += n;
    op.left -= n;
    op.address.offset += static_cast<MPI_Aint>(n);
  }
  op.state = State::kSent;
  ++sent_;
}

Status Window::put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
                   Pending* local) {
  WindowAddress address;
  if (is_one_access(raddr, bytes) || !locate(to, raddr, bytes, &address)) return Status::kNotSupported;
  const bool keeps_source = local == nullptr;
  if (keeps_source && bytes > kMaxBytes) return Status::kNotSupported;
  if (!has_room(bytes)) return Status::kNoResource;
  const unsigned nth = count_;
  Operation& op = begin(address, src, bytes, remote, true);
  if (bytes <= kSmall) {
    if (keeps_source) {
      op.copy = free_copies_.back();
      free_copies_.pop_back();
      std::memcpy(op.copy, src, bytes);
      op.at = op.copy;
    }
    put_now(op);
  } else if (keeps_source) {
    // The source is reusable on return, so it has to be read: this takes a transfer's time on the networks
    // for which the window is used.
    put_now(op);
    check(MPI_Win_flush_local(static_cast<int>(to), windows_[address.window]), "MPI_Win_flush_local",
          static_cast<int>(to));
  } else {
    ++moving_;
    ++puts_moving_[slot_of(address)];
    start_piece(nth);
  }
  if (local != nullptr) {
    local->add();
    op.local = local;
  }
  return Status::kInProgress;
}

Status Window::get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) {
  WindowAddress address;
  if (is_one_access(raddr, bytes) || !locate(from, raddr, bytes, &address)) return Status::kNotSupported;
  if (!has_room(bytes)) return Status::kNoResource;
  const unsigned nth = count_;
  begin(address, dst, bytes, done, false);
  ++moving_;
  start_piece(nth);
  return Status::kInProgress;
}

unsigned Window::progress() {
  if (moving_ != 0) complete_requests();
  if (sent_ != 0) flush_sent();
  return sweep();
}

void Window::complete_requests() {
  int which[kMaxOperations], processed = 0;
  check(MPI_Testsome(static_cast<int>(count_), requests_, &processed, which, MPI_STATUSES_IGNORE),
        "MPI_Testsome");
  if (processed == MPI_UNDEFINED) return;
  for (int i = 0; i < processed; ++i) {
    const auto nth = static_cast<unsigned>(which[i]);
    Operation& op = operations_[nth];
    if (op.left != 0) {
      start_piece(nth);
      continue;
    }
    --moving_;
    if (!op.is_put) {
      op.state = State::kDone;
      continue;
    }
    --puts_moving_[slot_of(op.address)];
    op.state = State::kSent;
    ++sent_;
    if (op.local != nullptr) op.local->complete();
    op.local = nullptr;
  }
}

// One flush for each target; not while a large put to it is in progress, which the flush would wait for. That
// one completes by itself, and the limits keep the number of others small.
void Window::flush_sent() {
  for (unsigned i = 0; i < count_; ++i) {
    const Operation& op = operations_[i];
    const unsigned slot = slot_of(op.address);
    if (op.state != State::kSent || puts_moving_[slot] != 0) continue;
    const int peer = static_cast<int>(op.address.rank);
    check(MPI_Win_flush(peer, windows_[op.address.window]), "MPI_Win_flush", peer);
    for (unsigned k = i; k < count_; ++k) {
      Operation& other = operations_[k];
      if (other.state != State::kSent || slot_of(other.address) != slot) continue;
      other.state = State::kDone;
      --sent_;
    }
  }
}

// Removes complete operations. From the end, because the last one takes the position of one that is removed.
unsigned Window::sweep() {
  unsigned completed = 0;
  for (unsigned i = count_; i-- > 0;) {
    Operation& op = operations_[i];
    if (op.state != State::kDone) continue;
    if (op.copy != nullptr) free_copies_.push_back(op.copy);
    if (op.local != nullptr) op.local->complete();
    bytes_ -= op.counted;
    Pending* const done = op.done;
    --count_;
    op = operations_[count_];
    requests_[i] = requests_[count_];
    done->complete();
    ++completed;
  }
  return completed;
}

}  // namespace upcr::mpi
