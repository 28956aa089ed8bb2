// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/hooks/code_patch.hpp"

#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <initializer_list>

#ifndef MAP_FIXED_NOREPLACE
#  define MAP_FIXED_NOREPLACE 0x100000  // Linux 4.17; a hint before that
#endif

namespace upcr::ibv {
namespace {

std::uintptr_t address(const void* at) noexcept { return reinterpret_cast<std::uintptr_t>(at); }

#if defined(__x86_64__) && defined(__LP64__)

constexpr std::size_t kStubBytes = 16;
constexpr std::uintptr_t kReach = std::uintptr_t{1} << 31;
constexpr std::size_t kJumpBytes = 5, kLine = 64;

void write_stub(char* at, std::uint64_t target) noexcept {
  constexpr unsigned char kJump[] = {0xff, 0x25, 0, 0, 0, 0};  // jmp *(after this instruction)
  std::memcpy(at, kJump, sizeof kJump);
  std::memcpy(at + sizeof kJump, &target, sizeof target);
}

// Bytes before the place for the jump.
std::size_t landing_pad(const char* code) noexcept {
  return std::memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0 ? 4 : 0;  // endbr64
}

// jmp, or what other tools begin a far jump with: jmp *, mov r10 or r11 or rax, push.
bool is_jump(const char* code) noexcept {
  for (const char* first : {"\xe9", "\xeb", "\xff\x25", "\x49\xba", "\x49\xbb", "\x48\xb8", "\x68"})
    if (std::memcmp(code, first, std::strlen(first)) == 0) return true;
  return false;
}

bool jump_at(const char* at, std::size_t room, std::uintptr_t to, std::uint64_t before,
             std::uint64_t* after) noexcept {
  if (room < sizeof before || address(at) % kLine > kLine - sizeof before) return false;
  const auto distance = static_cast<std::int64_t>(to - (address(at) + kJumpBytes));
  if (distance != static_cast<std::int32_t>(distance)) return false;
  const std::uint64_t jump = 0xe9 | static_cast<std::uint64_t>(static_cast<std::uint32_t>(distance)) << 8;
  constexpr std::uint64_t kMask = (std::uint64_t{1} << 8 * kJumpBytes) - 1;
  *after = (before & ~kMask) | jump;
  return true;
}

template <typename Word>
void store(Word* at, std::uint64_t word) noexcept {
  asm volatile("xchgq %0, %1" : "+r"(word), "+m"(*at)::"memory");
}

#elif defined(__aarch64__)

constexpr std::size_t kStubBytes = 16;
constexpr std::uintptr_t kReach = std::uintptr_t{1} << 27;

void write_stub(char* at, std::uint64_t target) noexcept {
  constexpr std::uint32_t kJump[] = {0x58000051, 0xd61f0220};  // ldr x17, (after these two); br x17
  std::memcpy(at, kJump, sizeof kJump);
  std::memcpy(at + sizeof kJump, &target, sizeof target);
}

std::uint32_t instruction(const char* code) noexcept {
  std::uint32_t word;
  std::memcpy(&word, code, sizeof word);
  return word;
}

// A `paciasp` must go, because its `autiasp` does: write() makes the page one that needs no landing pads.
std::size_t landing_pad(const char* code) noexcept {
  return instruction(code) == 0xd503245f ? 4 : 0;  // bti c
}

// b, br; or what other tools begin a far jump with: adrp, movz or ldr of x15, x16 or x17.
bool is_jump(const char* code) noexcept {
  const std::uint32_t word = instruction(code), to = word & 31;
  const bool far = to >= 15 && to <= 17;
  return word >> 26 == 0x05 || (word & 0xfffffc1f) == 0xd61f0000 ||
         (far && ((word & 0x9f000000) == 0x90000000 || (word & 0xff800000) == 0xd2800000 ||
                  (word & 0xff000000) == 0x58000000));
}

bool jump_at(const char* at, std::size_t room, std::uintptr_t to, std::uint64_t,
             std::uint64_t* after) noexcept {
  const auto distance = static_cast<std::int64_t>(to - address(at));
  constexpr auto kMost = static_cast<std::int64_t>(kReach);
  if (room < 4 || distance < -kMost || distance >= kMost) return false;
  *after = 0x14000000 | (static_cast<std::uint32_t>(distance >> 2) & 0x03ffffff);  // b
  return true;
}

template <typename Word>
void store(Word* at, std::uint64_t word) noexcept {
  __atomic_store_n(at, static_cast<Word>(word), __ATOMIC_SEQ_CST);
  __builtin___clear_cache(reinterpret_cast<char*>(at), reinterpret_cast<char*>(at + 1));
}

#else

constexpr std::size_t kStubBytes = 16;
constexpr std::uintptr_t kReach = 0;  // not for this processor
void write_stub(char*, std::uint64_t) noexcept {}
std::size_t landing_pad(const char*) noexcept { return 0; }
bool is_jump(const char*) noexcept { return true; }
bool jump_at(const char*, std::size_t, std::uintptr_t, std::uint64_t, std::uint64_t*) noexcept {
  return false;
}
template <typename Word>
void store(Word*, std::uint64_t) noexcept {}

#endif

std::size_t page_bytes() noexcept { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

// A page at this address, or null.
char* map_at(std::uintptr_t at, std::size_t bytes) noexcept {
  void* page = mmap(reinterpret_cast<void*>(at), bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  if (address(page) == at) return static_cast<char*>(page);
  munmap(page, bytes);
  return nullptr;
}

}  // namespace

CodeStubs::~CodeStubs() {
  if (page_ != nullptr) munmap(page_, bytes_);
}

bool CodeStubs::open(const void* near) noexcept {
  if (kReach == 0) {
    errno = ENOTSUP;
    return false;
  }
  bytes_ = page_bytes();
  constexpr std::uintptr_t kStep = std::uintptr_t{1} << 20;
  constexpr std::uintptr_t kMost = kReach / 8 * 7;  // the library's code reaches, not only its begin
  const std::uintptr_t origin = address(near) / kStep * kStep;
  for (std::uintptr_t distance = kStep; page_ == nullptr && distance <= kMost; distance += kStep) {
    if (origin > distance) page_ = map_at(origin - distance, bytes_);
    if (page_ == nullptr) page_ = map_at(origin + distance, bytes_);
  }
  return page_ != nullptr;
}

const void* CodeStubs::add(const void* target) noexcept {
  char* const stub = page_ + used_;
  if (used_ + kStubBytes > bytes_) return nullptr;
  write_stub(stub, address(target));
  used_ += kStubBytes;
  return stub;
}

bool CodeStubs::seal() noexcept {
  __builtin___clear_cache(page_, page_ + used_);
  return mprotect(page_, bytes_, PROT_READ | PROT_EXEC) == 0;
}

bool CodePatch::prepare(void* function, std::size_t bytes, const void* stub) noexcept {
  char* const code = static_cast<char*>(function);
  constexpr std::size_t kLongestPad = 4;
  if (stub == nullptr || bytes < kLongestPad + sizeof(Word)) return false;
  const std::size_t pad = landing_pad(code);
  at_ = reinterpret_cast<Word*>(code + pad);
  before_ = *at_;
  return !is_jump(code + pad) && jump_at(code + pad, bytes - pad, address(stub), before_, &after_);
}

// A page that must stay writable, because the policy refuses to take that back, is still executable.
bool CodePatch::write(Word word) noexcept {
  const std::size_t page = page_bytes();
  const std::uintptr_t begin = address(at_) / page * page;
  const std::uintptr_t end = (address(at_) + sizeof(Word) + page - 1) / page * page;
  void* const pages = reinterpret_cast<void*>(begin);
  if (mprotect(pages, end - begin, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  store(at_, word);
  (void)mprotect(pages, end - begin, PROT_READ | PROT_EXEC);
  return true;
}

void synchronize_code() noexcept {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0) == 0)
    (void)syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0);
}

}  // namespace upcr::ibv
