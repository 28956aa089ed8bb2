// SPDX-License-Identifier: BSD-3-Clause
// Redirects the C library's functions that change mappings (memory_calls.hpp), at their entry points, so that
// the library's own calls are seen as well: those of malloc, and of threads for their stacks. glibc has one
// system call for each, in the function of that name, which all of its code calls.
//
// There are none with another C library or a static one, which has no such entry points to be found; with a
// sanitizer, whose allocator makes system calls of its own; where the program or a preloaded library has its
// own definition of a function; where another library (UCX, Open MPI) has redirected one before; where code
// cannot be changed; and on processors other than x86-64 and AArch64. After the installation each function is
// called once, to see that it is redirected: tools that translate programs (valgrind) may run code that they
// have read before.
#pragma once
#include <string>

#include "conduits/net/ibv/hooks/code_patch.hpp"
#include "conduits/net/ibv/hooks/memory_calls.hpp"

namespace upcr::ibv {

class LibcHooks {
 public:
  LibcHooks() = default;
  LibcHooks(const LibcHooks&) = delete;
  LibcHooks& operator=(const LibcHooks&) = delete;

  // Redirects all of them until the process ends, and reports to the observer, which lives as long. False:
  // none is redirected, and *why says why. Main thread, once.
  bool install(MemoryCallObserver& observer, std::string* why);
  // Are all redirected now? Another library may have redirected one of them to itself. Any thread.
  bool intact() const noexcept {
    for (const CodePatch& patch : patches_)
      if (!patch.is_there()) return false;
    return true;
  }

 private:
  bool redirect(void* const functions[], std::string* why);

  CodePatch patches_[kMemoryCalls];
};

}  // namespace upcr::ibv
