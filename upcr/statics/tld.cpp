// SPDX-License-Identifier: BSD-3-Clause
// See tld.hpp. Each copy is one block, written before the pthreads start and then accessed by its own thread
// only, until the process ends. A block reaches from the first variable to the last one. Anything that the
// linker put between the sections of variables with and without initial values stays untouched, as do pages
// of variables that are zero; such pages use no memory.
#include "upcr/statics/tld.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "include/upcr/tld.h"
#include "include/upcr/types.h"

__thread ptrdiff_t upcri_tld_delta;

namespace upcr {
namespace {

constexpr std::size_t kPage = UPCR_PAGESIZE;
// For a program without tables of its variables: a mapped address plus this is never mapped, so that an
// unchecked access faults instead of reading another thread's variable.
constexpr std::ptrdiff_t kNoCopies = PTRDIFF_MIN / 2;

// For the UPC threads with local index 1 and up. Each copy has the variables' offset in its page, which keeps
// every alignment up to a page.
char** copies = nullptr;
int copies_made = 0;

constinit thread_local upcri_tld_t block{};
constinit thread_local bool block_ready = false;

struct Range {
  char *start, *stop;
  std::size_t bytes() const { return static_cast<std::size_t>(stop - start); }
  bool has(const char* at) const { return at >= start && at < stop; }
};

Range valued() { return {upcri_tld_image.start, upcri_tld_image.stop}; }
Range zeros() { return {upcri_tld_zeros.start, upcri_tld_zeros.stop}; }
// From the start of the first section to the end of the last.
Range whole() {
  const Range a = valued(), b = zeros();
  if (b.bytes() == 0) return a;
  if (a.bytes() == 0) return b;
  return {std::min(a.start, b.start), std::max(a.stop, b.stop)};
}

// Copies all bytes of a section; not instrumented, because the address sanitizer forbids access to those
// between the variables.
__attribute__((no_sanitize_address)) void copy_bytes(char* to, const char* begin, std::size_t n) {
#ifdef __SANITIZE_ADDRESS__
  for (const volatile char* from = begin; n > 0; --n) *to++ = *from++;
#else
  std::memcpy(to, begin, n);
#endif
}

__attribute__((no_sanitize_address)) bool is_zero(const char* at, std::size_t n) {
  std::uintptr_t any = 0;
  for (; n % sizeof any != 0; --n) any |= static_cast<unsigned char>(at[n - 1]);
  for (std::size_t i = 0; i < n && any == 0; i += sizeof any) {
    std::uintptr_t word;
    __builtin_memcpy(&word, at + i, sizeof word);
    any |= word;
  }
  return any == 0;
}

// Copies variables without initial values, which the program may have written already (a constructor, a main
// of its own).
void copy_zeros(char* to, Range range) {
  while (range.start < range.stop) {
    const std::size_t to_page_end = kPage - reinterpret_cast<std::uintptr_t>(range.start) % kPage;
    const std::size_t n = std::min(range.bytes(), to_page_end);
    if (!is_zero(range.start, n)) copy_bytes(to, range.start, n);
    to += n;
    range.start += n;
  }
}

// Allocates a copy on the C heap, where leak checkers search for pointers; returns the address of the first
// variable's copy.
char* make_copy(const Range& all) {
  const std::size_t shift = reinterpret_cast<std::uintptr_t>(all.start) % kPage;
  auto* const memory = static_cast<char*>(std::calloc(1, 2 * kPage + all.bytes()));
  if (memory == nullptr) return nullptr;
  const std::size_t past = reinterpret_cast<std::uintptr_t>(memory) % kPage;
  char* const copy = memory + (past == 0 ? 0 : kPage - past) + shift;
  copy_bytes(copy + (valued().start - all.start), valued().start, valued().bytes());
  copy_zeros(copy + (zeros().start - all.start), zeros());
  return copy;
}

// libx.so, libx.so.2
bool is_shared_library(std::string_view path) {
  return path.ends_with(".so") || path.substr(path.rfind('/') + 1).find(".so.") != std::string_view::npos;
}

std::string list_plain_uses() {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < upcri_tld_image.plain_count && i < kShown; ++i) {
    const upcri_tld_plain& use = upcri_tld_image.plain[i];
    if (i != 0) text += ", ";
    if (*use.name == '\0') {
      const bool shared = is_shared_library(use.file);
      text +=
          std::string("any of ") + use.file + (shared ? " (a shared library)" : " (upcc did not compile it)");
      continue;
    }
    text += "'" + std::string(use.name) + "' in " + use.file;
    if (use.line > 0) text += ":" + std::to_string(use.line);
  }
  if (upcri_tld_image.plain_count > kShown)
    text += " and " + std::to_string(upcri_tld_image.plain_count - kShown) + " more";
  return text;
}

}  // namespace

void tld_check(int pthreads) {
  if (pthreads <= 1) return;
  if (upcri_tld_image.plain_count != 0)
    fatal_setting(
        "cannot run %d UPC threads in a process: unshared variables are plain globals: %s; compile UPC files "
        "with upcc --pthreads (other translators write UPCR_TLD_ADDR) and link them statically; variables of C "
        "files stay one for a process: define them in a UPC file, or run one UPC thread per process "
        "(UPCR_PTHREADS=1)",
        pthreads, list_plain_uses().c_str());
  if (upcri_tld_objects != 0 && upcri_tld_image.start == nullptr)
    fatal_setting(
        "cannot run %d UPC threads in a process: the program has thread-local data and was not linked by "
        "upcc; link it with upcc, or run one UPC thread per process (UPCR_PTHREADS=1)",
        pthreads);
}

void tld_process_init(int pthreads) {
  tld_check(pthreads);
  const Range all = whole();
  if (pthreads <= 1 || all.bytes() == 0 || copies != nullptr) return;
  copies = new char*[static_cast<std::size_t>(pthreads - 1)];
  for (int i = 0; i < pthreads - 1; ++i) {
    if ((copies[i] = make_copy(all)) == nullptr)
      fatal(
          "no memory for the thread-local data of %d UPC threads: %zu bytes each; run fewer threads per "
          "process",
          pthreads, all.bytes());
    copies_made = i + 1;
  }
}

void tld_thread_init(int local_index) {
  char* mine = whole().start;
  if (local_index == 0) {
    upcri_tld_delta = 0;
  } else if (copies == nullptr) {
    upcri_tld_delta = kNoCopies;
  } else {
    UPCR_ASSERT(local_index <= copies_made);
    mine = copies[local_index - 1];
    upcri_tld_delta = mine - whole().start;
  }
  block.upcri_pthreadinfo = {local_index, mine};
  block_ready = true;
}

}  // namespace upcr

void* upcri_tld_copy(const volatile void* var, const char* name) {
  char* at = static_cast<char*>(const_cast<void*>(var));
  if (!upcr::valued().has(at) && !upcr::zeros().has(at))
    upcr::fatal(
        "thread-local variable '%s' has no copy for each UPC thread: its file is in a shared library or was "
        "not compiled by upcc; compile it with upcc and link it into the program, or run one UPC thread per "
        "process (UPCR_PTHREADS=1)",
        name);
  return at + upcri_tld_delta;
}

upcri_tld_t* upcri_linkergenerated_tld_init() { return upcr::block_ready ? &upcr::block : nullptr; }
