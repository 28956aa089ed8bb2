// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/crew.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace perf {

Crew::Crew() {
  block_ = upcr_all_alloc(threads_, kBlockBytes);
  barrier();
  const bool other_process = upcr_mynode() != 0;
  set_word(me_, other_process);
  barrier();
  partner_ = threads_ > 1 ? 1 : 0;
  for (upcr_thread_t t = threads_; t-- > 1;)
    if (word_of(t) != 0) partner_ = t;
  barrier();
  raw_ = map_raw();
  if (!all(raw_ != nullptr)) raw_ = nullptr;
}

std::uint64_t Crew::said_by(upcr_thread_t thread, std::uint64_t value) const {
  barrier();
  for (upcr_thread_t t = 0; me_ == thread && t < threads_; ++t) set_word(t, value);
  barrier();
  return word_of(me_);
}

bool Crew::all(bool mine) const { return largest(mine ? 0 : 1) == 0; }

std::uint64_t Crew::largest(std::uint64_t mine) const {
  barrier();
  set_word(me_, mine);
  barrier();
  std::uint64_t most = 0;
  for (upcr_thread_t t = 0; t < threads_; ++t) most = std::max(most, word_of(t));
  barrier();  // who goes on to a call of MPI serves nobody who still reads
  return most;
}

// A pointer-to-shared is one or two words.
upcr_shared_ptr_t Crew::pointer_of(upcr_thread_t thread, upcr_shared_ptr_t pointer) const {
  std::uint64_t words[sizeof pointer / 8];
  std::memcpy(words, &pointer, sizeof pointer);
  for (std::uint64_t& word : words) word = said_by(thread, word);
  std::memcpy(&pointer, words, sizeof pointer);
  return pointer;
}

// Thread 0's file, opened by the others through /proc: works whatever upcr maps, on one host.
char* Crew::map_raw() const {
  const bool one_host = all(bupc_thread_distance(0, static_cast<int>(me_)) < BUPC_THREADS_VERYFAR);
  int fd = -1;
  if (leads()) {
    fd = memfd_create("upcr_perf", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, kRawBytes) != 0) fd = -1;
  }
  const auto pid = static_cast<int>(agree(static_cast<std::uint64_t>(getpid())));
  const auto number = static_cast<int>(agree(static_cast<std::uint64_t>(fd)));
  if (!leads() && one_host) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, number);
    fd = open(path, O_RDWR | O_CLOEXEC);
  }
  void* p = fd >= 0 ? mmap(nullptr, kRawBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  barrier();  // everybody has opened it
  if (fd >= 0) close(fd);
  return p == MAP_FAILED ? nullptr : static_cast<char*>(p);
}

}  // namespace perf
