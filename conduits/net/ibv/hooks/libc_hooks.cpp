// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/hooks/libc_hooks.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#if __has_include(<gnu/lib-names.h>)
#  include <gnu/lib-names.h>
#else
#  define LIBC_SO "libc.so.6"
#endif

namespace upcr::ibv {
namespace {

// The functions as programs may call them.
using Unmap = int (*)(void*, std::size_t);
using Map = void* (*)(void*, std::size_t, int, int, int, off_t);
using Remap = void* (*)(void*, std::size_t, std::size_t, int, ...);
using Advise = int (*)(void*, std::size_t, int);
using SetBreak = int (*)(void*);

// A sanitizer is part of the program, whose code may be instrumented although this is not.
bool has_sanitizer() noexcept {
  for (const char* name : {"__asan_init", "__tsan_init", "__hwasan_init", "__msan_init", "__lsan_init",
                           "__memprof_init", "__dfsan_init"})
    if (dlsym(RTLD_DEFAULT, name) != nullptr) return true;
  return false;
}

// A program that takes a function's address and is not position-independent has an entry of its own for it.
bool is_reference(void* function) noexcept {
  Dl_info info;
  void* extra = nullptr;
  if (dladdr1(function, &info, &extra, RTLD_DL_SYMENT) == 0 || extra == nullptr) return false;
  return info.dli_saddr == function && static_cast<const ElfW(Sym)*>(extra)->st_shndx == SHN_UNDEF;
}

// Do calls by this name lead to the C library, and not to a definition of the program or of a library loaded
// before (LD_PRELOAD, an allocator), which may make system calls of its own?
bool leads_to_libc(void* libc, const char* name) noexcept {
  void* const function = dlsym(libc, name);
  void* const found = dlsym(RTLD_DEFAULT, name);
  if (found == nullptr || function == nullptr) return false;
  return found == function || (is_reference(found) && dlsym(RTLD_NEXT, name) == function);
}

// Is it the variable that sbrk() keeps? Another thread may be in sbrk().
bool is_break(void* const* variable) noexcept {
  constexpr unsigned kTries = 1000;
  for (unsigned tries = 0; tries < kTries; ++tries)
    if (void* const now = sbrk(0); *static_cast<void* const volatile*>(variable) == now) return true;
  return false;
}

// Does the code load the number of this system call?
bool makes_call(const char* code, std::size_t bytes, long number) noexcept {
#if defined(__aarch64__)
  const std::uint32_t load = 0xd2800008 | static_cast<std::uint32_t>(number) << 5;  // mov x8, number
  constexpr std::size_t kStep = 4;
#else
  const char load[] = {'\xb8', static_cast<char>(number), static_cast<char>(number >> 8), 0, 0};  // mov eax
  constexpr std::size_t kStep = 1;
#endif
  for (std::size_t at = 0; at + sizeof load <= bytes; at += kStep)
    if (std::memcmp(code + at, &load, sizeof load) == 0) return true;
  return false;
}

// Bytes of code of the function, 0 if it is not known.
std::size_t code_bytes(void* function) noexcept {
  Dl_info info;
  void* extra = nullptr;
  if (dladdr1(function, &info, &extra, RTLD_DL_SYMENT) == 0 || extra == nullptr) return 0;
  return info.dli_saddr == function ? static_cast<const ElfW(Sym)*>(extra)->st_size : 0;
}

// A module that is unloaded would leave jumps to nowhere. (A program cannot be opened, and is not unloaded.)
void stay_loaded() noexcept {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&stay_loaded), &info) != 0)
    (void)dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

// Calls each once, harmlessly: brk(0) only asks.
bool all_are_seen(void* const functions[]) noexcept {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const at = reinterpret_cast<Map>(functions[1])(nullptr, 2 * page, PROT_READ | PROT_WRITE,
                                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return false;
  (void)reinterpret_cast<Remap>(functions[2])(at, 2 * page, page, 0);
  (void)reinterpret_cast<Advise>(functions[3])(at, page, MADV_NORMAL);
  (void)reinterpret_cast<Unmap>(functions[0])(at, page);
  (void)reinterpret_cast<SetBreak>(functions[4])(nullptr);
  return memory_calls_seen() == (1U << kMemoryCalls) - 1;
}

}  // namespace

bool LibcHooks::install(MemoryCallObserver& observer, std::string* why) {
  if (has_sanitizer()) {
    *why = "the allocator of a sanitizer makes system calls that cannot be seen";
    return false;
  }
  void* const libc = dlopen(LIBC_SO, RTLD_LAZY | RTLD_NOLOAD);
  auto** const current_break = libc == nullptr ? nullptr : static_cast<void**>(dlsym(libc, "__curbrk"));
  if (current_break == nullptr || !is_break(current_break)) {
    *why = "there is no " LIBC_SO " of glibc in this process";
    return false;
  }
  for (const char* name : {"munmap", "mmap", "mmap64", "mremap", "madvise", "brk", "sbrk"}) {
    if (leads_to_libc(libc, name)) continue;
    *why = std::string("calls of ") + name + " lead to another definition than the C library's";
    return false;
  }
  void* functions[kMemoryCalls];
  for (unsigned nth = 0; nth < kMemoryCalls; ++nth) {
    const MemoryCall& call = memory_calls[nth];
    functions[nth] = dlsym(libc, call.name);
    if (functions[nth] == nullptr ||
        !makes_call(static_cast<const char*>(functions[nth]), code_bytes(functions[nth]), call.number)) {
      *why =
          std::string(call.name) + " of the C library is not as expected, or redirected by another library";
      return false;
    }
  }
  stay_loaded();
  observe_memory_calls(observer, current_break);
  return redirect(functions, why);
}

bool LibcHooks::redirect(void* const functions[], std::string* why) {
  const auto not_allowed = [why] {
    *why = std::string("the code of the C library cannot be changed: ") + std::strerror(errno);
    return false;
  };
  CodeStubs stubs;
  if (!stubs.open(functions[0])) return not_allowed();
  for (unsigned nth = 0; nth < kMemoryCalls; ++nth) {
    const MemoryCall& call = memory_calls[nth];
    if (patches_[nth].prepare(functions[nth], code_bytes(functions[nth]), stubs.add(call.replacement)))
      continue;
    *why = std::string(call.name) + " of the C library cannot be redirected, or another library has done it";
    return false;
  }
  if (!stubs.seal()) return not_allowed();
  unsigned done = 0;
  while (done < kMemoryCalls && patches_[done].apply()) ++done;
  const bool changed = done == kMemoryCalls;
  if (!changed) not_allowed();
  stubs.keep();  // another thread may be there already
  synchronize_code();
  if (changed && all_are_seen(functions)) return true;
  if (changed) *why = "calls of the C library go on as before although its code has been changed";
  while (done > 0) (void)patches_[--done].revert();
  return false;
}

}  // namespace upcr::ibv
