// SPDX-License-Identifier: BSD-3-Clause
// Redirects a function of a library that is loaded: a jump in place of its first instruction, for x86-64 and
// AArch64. So calls within the library are redirected, too, which its table of symbols cannot do.
//
// The jump is written at once, 5 bytes of x86-64 within a cache line or an instruction of AArch64, so other
// threads may call the function meanwhile: they run the old code or the new. (One case remains on
// x86-64: a thread that has been interrupted after the first instruction of a function, where this is shorter
// than 5 bytes, goes on in the middle of the jump. glibc's munmap, madvise and brk begin with an instruction
// of 5 or more bytes, but mmap and mremap do not.) A short jump reaches its neighbourhood only, so
// it leads to a stub on a page nearby, which jumps on. An `endbr64` or `bti c` stays before the jump, since
// calls by pointers demand it where the processor checks them; the shadow stack is not concerned, because
// nothing is called.
//
// The page of code is writable as well while the jump is written, which a policy may refuse (SELinux:
// execmem; systemd: MemoryDenyWriteExecute). Then nothing is redirected.
#pragma once
#include <cstddef>
#include <cstdint>

namespace upcr::ibv {

// A page of stubs near the code that will jump to them.
class CodeStubs {
 public:
  CodeStubs() = default;
  ~CodeStubs();
  CodeStubs(const CodeStubs&) = delete;
  CodeStubs& operator=(const CodeStubs&) = delete;

  // Allocates the page, writable. False: errno says why (ENOTSUP: not for this processor).
  bool open(const void* near) noexcept;
  // The address of a new stub that jumps to `target`.
  const void* add(const void* target) noexcept;
  // From now on the stubs may be executed, and no longer be changed.
  bool seal() noexcept;
  // The stubs remain when this object ends.
  void keep() noexcept { page_ = nullptr; }

 private:
  char* page_ = nullptr;
  std::size_t bytes_ = 0, used_ = 0;
};

class CodePatch {
 public:
  // Prepares the redirection of `function`, which has `bytes` of code, to a stub. False: its first
  // instruction is a jump already, or the code is too short or at an address that does not suit.
  bool prepare(void* function, std::size_t bytes, const void* stub) noexcept;
  // Changes the code, and back. False: errno says why.
  bool apply() noexcept { return write(after_); }
  bool revert() noexcept { return write(before_); }
  // Is the jump there? Any thread.
  bool is_there() const noexcept { return *static_cast<const volatile Word*>(at_) == after_; }

 private:
#if defined(__aarch64__)
  using Word = std::uint32_t;
#else
  // Anywhere within a cache line: the processor reads and writes it at once.
  using Word [[gnu::aligned(1)]] = std::uint64_t;
#endif
  bool write(Word word) noexcept;

  Word* at_ = nullptr;
  std::uint64_t before_ = 0, after_ = 0;
};

// After this call no thread executes code as it was before. May fail, on old kernels: then it happens soon.
void synchronize_code() noexcept;

}  // namespace upcr::ibv
