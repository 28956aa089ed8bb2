// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>

namespace upcr {

// Memory in which a thread builds one packet after the other. It grows to the largest size that was asked for
// and is freed when the thread ends. For `constinit thread_local` variables only.
//
// It has no destructor: handlers of the program's end run after the destructors of the thread's objects and
// may still send messages. What they allocate then is not freed.
class ThreadBuffer {
 public:
  // At least `bytes` bytes, which stay the caller's until the next call on this thread.
  char* of(std::size_t bytes) {
    if (bytes > size_) grow(bytes);
    return data_;
  }
  std::size_t size() const noexcept { return size_; }

 private:
  friend struct ThreadBufferGuard;
  void grow(std::size_t bytes);

  char* data_ = nullptr;
  std::size_t size_ = 0;
  ThreadBuffer* next_ = nullptr;  // of the thread's buffers
};

}  // namespace upcr
