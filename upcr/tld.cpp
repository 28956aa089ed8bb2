// SPDX-License-Identifier: BSD-3-Clause
// See tld.hpp. All copies of a process are one block, written before the pthreads start and
// then touched by their own threads only; it lives as long as the process.
#include "upcr/tld.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "conduits/base/report.hpp"
#include "include/upcr/tld.h"
#include "include/upcr/types.h"

__thread ptrdiff_t upcri_tld_delta;

namespace upcr {
namespace {

constexpr std::size_t kPage = UPCR_PAGESIZE;
// For a program that told us nothing: no mapped address plus this is a mapped address, so that an unchecked
// access faults rather than reads another thread's variable.
constexpr std::ptrdiff_t kNoCopies = PTRDIFF_MIN / 2;

// First copy, for local index 1; the others follow stride bytes apart. Each has the offset in its page that
// the variables have, so every alignment up to a page is kept.
char* first_copy = nullptr;
std::size_t stride = 0;
int copies = 0;

__thread upcri_tld_t block;
__thread bool block_ready = false;

std::size_t image_bytes() { return static_cast<std::size_t>(upcri_tld_image.stop - upcri_tld_image.start); }

// All bytes of the section, and with the address sanitizer those between the variables too, which are not
// to be touched by instrumented code.
__attribute__((no_sanitize_address)) void copy_image(char* to) {
#ifdef __SANITIZE_ADDRESS__
  const volatile char* from = upcri_tld_image.start;
  for (std::size_t n = image_bytes(); n > 0; --n) *to++ = *from++;
#else
  std::memcpy(to, upcri_tld_image.start, image_bytes());
#endif
}

std::string list_plain_uses() {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < upcri_tld_image.plain_count && i < kShown; ++i) {
    const upcri_tld_plain& use = upcri_tld_image.plain[i];
    if (i != 0) text += ", ";
    if (*use.name == '\0') {
      text += std::string("any of ") + use.file + " (upcc did not compile it)";
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
    fatal(
        "cannot run %d UPC threads in a process: unshared variables are plain globals: %s; translate these "
        "files for pthreads (UPCR_TLD_ADDR) and compile them with upcc, or run one UPC thread per process "
        "(UPCR_PTHREADS=1)",
        pthreads, list_plain_uses().c_str());
  if (upcri_tld_objects != 0 && upcri_tld_image.start == nullptr)
    fatal(
        "cannot run %d UPC threads in a process: the program has thread-local data and was not linked by "
        "upcc; link it with upcc, or run one UPC thread per process (UPCR_PTHREADS=1)",
        pthreads);
}

void tld_process_init(int pthreads) {
  tld_check(pthreads);
  if (pthreads <= 1 || image_bytes() == 0 || first_copy != nullptr) return;
  const std::size_t shift = reinterpret_cast<std::uintptr_t>(upcri_tld_image.start) % kPage;
  stride = (shift + image_bytes() + kPage - 1) / kPage * kPage;
  const std::size_t bytes = stride * static_cast<std::size_t>(pthreads - 1);
  void* memory = std::aligned_alloc(kPage, bytes);  // from the C heap: leak checkers look for pointers in it
  if (memory == nullptr)
    fatal("no memory for the thread-local data of %d UPC threads: %zu bytes; run fewer threads per process",
          pthreads, bytes);
  first_copy = static_cast<char*>(memory) + shift;
  copies = pthreads - 1;
  for (int i = 0; i < copies; ++i) copy_image(first_copy + stride * static_cast<std::size_t>(i));
}

void tld_thread_init(int local_index) {
  char* mine = upcri_tld_image.start;
  if (local_index == 0) {
    upcri_tld_delta = 0;
  } else if (first_copy == nullptr) {
    upcri_tld_delta = kNoCopies;
  } else {
    UPCR_ASSERT(local_index <= copies);
    mine = first_copy + stride * static_cast<std::size_t>(local_index - 1);
    upcri_tld_delta = mine - upcri_tld_image.start;
  }
  block.upcri_pthreadinfo = {local_index, mine};
  block_ready = true;
}

}  // namespace upcr

void* upcri_tld_copy(const volatile void* var, const char* name) {
  char* at = static_cast<char*>(const_cast<void*>(var));
  if (at < upcri_tld_image.start || at >= upcri_tld_image.stop)
    upcr::fatal(
        "thread-local variable '%s' has no copy for each UPC thread: its file is in a shared library or was "
        "not compiled by upcc; compile it with upcc and link it into the program, or run one UPC thread per "
        "process (UPCR_PTHREADS=1)",
        name);
  return at + upcri_tld_delta;
}

upcri_tld_t* upcri_linkergenerated_tld_init() { return upcr::block_ready ? &upcr::block : nullptr; }
