// SPDX-License-Identifier: BSD-3-Clause
// An Operation is the work that the completion of a work request causes. Unsignalled requests have none.
// There are as many as the completion queues have room for: an Operation is released no later than the room
// of its work request, so one is available whenever there is room.
//
// Threads: under the conduit's lock.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/model/completion.hpp"

namespace upcr::ibv {

struct Link;
struct Registration;

enum class OperationKind : std::uint8_t { kMessage, kPut, kGet, kAtomic, kFlush, kHello };

struct alignas(64) Operation {
  Link* link = nullptr;
  Operation* next = nullptr;             // in the pool, or in a FlushQueue
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
  void open(std::size_t count) {
    all_ = std::make_unique<Operation[]>(count);
    free_ = nullptr;
    for (std::size_t i = count; i > 0; --i) release(&all_[i - 1]);
  }
  Operation* acquire(Link* link, OperationKind kind) noexcept {
    UPCR_ASSERT(free_ != nullptr);
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
  std::unique_ptr<Operation[]> all_;
  Operation* free_ = nullptr;
};

}  // namespace upcr::ibv
