// SPDX-License-Identifier: BSD-3-Clause
// What takes the place of the C library's munmap, mmap, mremap, madvise and brk: each reports which pages
// will change and then makes the system call, with the result and errno of the original.
//
// Pages that will go are reported before they go. The addresses of a new mapping are reported as well, after
// it has been made and before the caller knows them: what was there before was unmapped, perhaps by a call
// that has not been seen.
//
// They run wherever the program, the C library or the loader calls the originals: with locks held (malloc's,
// for instance), in handlers of signals, in children of fork() and vfork(). So they take no lock, allocate
// nothing, and touch no thread-local data besides errno.
#pragma once
#include <cstddef>
#include <cstdint>

namespace upcr::ibv {

class MemoryCallObserver {
 public:
  // Between these two a call is in progress.
  virtual void call_begins() noexcept = 0;
  virtual void call_ends() noexcept = 0;
  // The pages that begin in these bytes go, or have gone: `unmapped`, with their mapping. The range may be
  // nonsense: the kernel will refuse it.
  virtual void pages_go(std::uintptr_t begin, std::size_t bytes, bool unmapped) noexcept = 0;

 protected:
  ~MemoryCallObserver() = default;
};

struct MemoryCall {
  const char* name;         // of the C library's function
  long number;              // of its system call
  const void* replacement;  // a function of the same type
};

inline constexpr unsigned kMemoryCalls = 5;
extern const MemoryCall memory_calls[kMemoryCalls];

// To be called before the replacements. `current_break`: the C library's variable __curbrk.
void observe_memory_calls(MemoryCallObserver& observer, void** current_break) noexcept;
// Which of memory_calls have been called since the process began: bit n.
unsigned memory_calls_seen() noexcept;

}  // namespace upcr::ibv
