// SPDX-License-Identifier: BSD-3-Clause
// An Operation is the work that the completion of a work request causes, of its own or of a later one
// (covered_queue.hpp). Packets that are sent inline need none.
// They are allocated when they are needed first, and kept; the room in the completion queues limits how many
// are in use.
//
// Threads: under the lock of the send path.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "conduits/core/model/completion.hpp"

namespace upcr::ibv {

struct Link;
struct Registration;

enum class OperationKind : std::uint8_t { kMessage, kPut, kGet, kAtomic, kFlush, kSignal, kHello };

struct alignas(64) Operation {
  Link* link = nullptr;
  Operation* next = nullptr;             // in the pool, a CoveredQueue or a FlushQueue
  Pending* done = nullptr;               // of a put: its remote completion
  Pending* local = nullptr;              // of a put whose source is read in place: its local completion
  char* buffer = nullptr;                // to be released: of a message, or a bounce buffer
  void* destination = nullptr;           // of a get or an atomic through a bounce buffer
  Registration* registration = nullptr;  // to be released
  std::uint32_t bytes = 0;
  std::uint16_t number = 0;  // in its SendQueue
  OperationKind kind = OperationKind::kMessage;
};
static_assert(sizeof(Operation) == 64);

class Operations {
 public:
  Operation* acquire(Link* link, OperationKind kind) noexcept {
    if (free_ == nullptr) grow();
    Operation* op = free_;
    free_ = op->next;
    *op = Operation{};
    op->link = link;
    op->kind = kind;
    return op;
  }
  void release(Operation* op) noexcept {
    op->next = free_;
    free_ = op;
  }

 private:
  [[gnu::noinline]] void grow() {
    constexpr std::size_t kBlock = 256;
    blocks_.push_back(std::make_unique<Operation[]>(kBlock));
    for (std::size_t i = kBlock; i > 0; --i) release(&blocks_.back()[i - 1]);
  }

  std::vector<std::unique_ptr<Operation[]>> blocks_;
  Operation* free_ = nullptr;
};

}  // namespace upcr::ibv
