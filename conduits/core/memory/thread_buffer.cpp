// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/memory/thread_buffer.hpp"

#include <utility>

namespace upcr {
namespace {

// The buffers of this thread that have memory.
constinit thread_local ThreadBuffer* first = nullptr;

}  // namespace

struct ThreadBufferGuard {
  ~ThreadBufferGuard() {
    while (first != nullptr) {
      ThreadBuffer& buffer = *std::exchange(first, first->next_);
      delete[] std::exchange(buffer.data_, nullptr);
      buffer.size_ = 0;
      buffer.next_ = nullptr;
    }
  }
  // Makes the destructor run at the thread's end.
  void use() noexcept {}
};

void ThreadBuffer::grow(std::size_t bytes) {
  thread_local ThreadBufferGuard guard;
  guard.use();
  if (data_ == nullptr) next_ = std::exchange(first, this);
  delete[] data_;
  data_ = new char[bytes];
  size_ = bytes;
}

}  // namespace upcr
