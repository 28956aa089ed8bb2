// SPDX-License-Identifier: BSD-3-Clause
#include "bench/scale/libc.hpp"

#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

#include "bench/scale/simulator.hpp"

namespace upcr::scale {
namespace {

constexpr int kMemoryFd = 1 << 28;  // no descriptor of a file
char* next_piece = nullptr;
std::int64_t* counter = nullptr;

// In front of each block: the bytes requested. (The bytes that malloc allocates differ from run to run.)
constexpr std::size_t kFront = 16;

void* allocate(std::size_t bytes, std::size_t alignment = kFront) {
  const std::size_t front = std::max(alignment, kFront);
  char* const base = static_cast<char*>(
      front == kFront ? std::malloc(front + bytes)
                      : std::aligned_alloc(front, (front + bytes + front - 1) / front * front));
  if (base == nullptr) {
    std::fprintf(stderr, "upcr_scale: out of memory\n");
    std::abort();
  }
  char* const p = base + front;
  *reinterpret_cast<std::size_t*>(p - sizeof(std::size_t)) = bytes;
  if (counter != nullptr) *counter += static_cast<std::int64_t>(bytes);
  return p;
}

void deallocate(void* p, std::size_t alignment = kFront) noexcept {
  if (p == nullptr) return;
  char* const at = static_cast<char*>(p);
  if (counter != nullptr)
    *counter -= static_cast<std::int64_t>(*reinterpret_cast<std::size_t*>(at - sizeof(std::size_t)));
  std::free(at - std::max(alignment, kFront));
}

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

namespace libc {

void set_next_piece(char* piece) { next_piece = piece; }
Counted::Counted(std::int64_t* c) noexcept : before_(counter) { counter = c; }
Counted::~Counted() { counter = before_; }

}  // namespace libc

Memory::Memory(Rank ranks) : bytes_(ranks * kPiece) {
  void* const p = real<void*(void*, std::size_t, int, int, int, off_t)>("mmap")(
      nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    std::perror("upcr_scale: no room for the ranks' shared memory");
    std::exit(1);
  }
  base_ = static_cast<char*>(p);
}

Memory::~Memory() { ::munmap(base_, bytes_); }

std::size_t Memory::touched(Rank rank) const {
  constexpr std::size_t kPage = 4096;
  std::vector<unsigned char> pages(kPiece / kPage);
  if (::mincore(piece(rank), kPiece, pages.data()) != 0) return 0;
  std::size_t n = 0;
  for (const unsigned char p : pages) n += p & 1;
  return n * kPage;
}

}  // namespace upcr::scale

using upcr::scale::allocate;
using upcr::scale::deallocate;
using upcr::scale::kMemoryFd;
using upcr::scale::Memory;
using upcr::scale::Nanos;
using upcr::scale::next_piece;
using upcr::scale::real;
using upcr::scale::Simulator;

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void* operator new(std::size_t bytes, std::align_val_t a) {
  return allocate(bytes, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t bytes, std::align_val_t a) {
  return allocate(bytes, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { deallocate(p); }
void operator delete[](void* p) noexcept { deallocate(p); }
void operator delete(void* p, std::size_t) noexcept { deallocate(p); }
void operator delete[](void* p, std::size_t) noexcept { deallocate(p); }
void operator delete(void* p, std::align_val_t a) noexcept { deallocate(p, static_cast<std::size_t>(a)); }
void operator delete[](void* p, std::align_val_t a) noexcept { deallocate(p, static_cast<std::size_t>(a)); }
void operator delete(void* p, std::size_t, std::align_val_t a) noexcept {
  deallocate(p, static_cast<std::size_t>(a));
}
void operator delete[](void* p, std::size_t, std::align_val_t a) noexcept {
  deallocate(p, static_cast<std::size_t>(a));
}

extern "C" {

int sched_yield() noexcept {
  if (Simulator* const s = Simulator::running()) s->yield_running();
  return 0;
}

int clock_gettime(clockid_t clock, timespec* t) noexcept {
  if (const Simulator* const s = Simulator::running()) {
    const Nanos now = s->now() + 1'000'000'000;  // 0 means "no time" in the product
    *t = {static_cast<time_t>(now / 1'000'000'000), static_cast<long>(now % 1'000'000'000)};
    return 0;
  }
  static auto* const next = real<int(clockid_t, timespec*)>("clock_gettime");
  return next(clock, t);
}

// Doorbells: a process has one thread here, so only a packet wakes it.
long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& x : a) x = va_arg(list, long);
  va_end(list);
  Simulator* const s = Simulator::running();
  if (s != nullptr && number == SYS_futex) {
    if ((a[1] & FUTEX_CMD_MASK) == FUTEX_WAIT) s->sleep_running();
    return 0;
  }
  static auto* const next = real<long(long, ...)>("syscall");
  return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int memfd_create(const char*, unsigned) noexcept { return kMemoryFd; }

int ftruncate(int fd, off_t bytes) noexcept {
  if (fd == kMemoryFd) {
    if (static_cast<std::size_t>(bytes) <= Memory::kPiece) return 0;
    errno = ENOSPC;
    return -1;
  }
  static auto* const next = real<int(int, off_t)>("ftruncate");
  return next(fd, bytes);
}

void* mmap(void* at, size_t bytes, int protection, int flags, int fd, off_t offset) noexcept {
  if (fd == kMemoryFd) return next_piece + offset;
  static auto* const next = real<void*(void*, size_t, int, int, int, off_t)>("mmap");
  return next(at, bytes, protection, flags, fd, offset);
}

}  // extern "C"
