// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/record_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "upcr/observe/clock.hpp"

namespace upcr::observe {
namespace {

char* map_private(std::size_t bytes) noexcept {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

}  // namespace

char* map_new_file(const std::string& path, std::size_t bytes) noexcept {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return nullptr;
  void* memory = MAP_FAILED;
  // Its blocks are allocated now: a full disk is an error here, and no signal later.
  errno = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
  if (errno == 0) memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const int error = errno;
  (void)::close(file);
  if (memory != MAP_FAILED) return static_cast<char*>(memory);
  (void)::unlink(path.c_str());
  errno = error;
  return nullptr;
}

std::unique_ptr<RecordMemory> RecordMemory::make(const std::string& path, const RecordHeader& about) {
  const std::size_t bytes = record_bytes(about.threads);
  char* const memory = path.empty() ? map_private(bytes) : map_new_file(path, bytes);
  if (memory == nullptr) return nullptr;
  std::unique_ptr<RecordMemory> record(new RecordMemory(path, memory));
  RecordHeader& h = record->view().header();
  h = about;
  h.cells = 1;
  h.name_bytes = 1;  // the empty name
  (void)::gethostname(h.host, sizeof h.host - 1);
  record->read_clocks();
  h.start_ticks = h.last_ticks;
  h.start_ns = h.last_ns;
  h.magic = kRecordMagic;
  return record;
}

void RecordMemory::read_clocks() noexcept {
  const Moment now = Moment::now();
  view_.header().last_ticks = now.ticks;
  view_.header().last_ns = now.ns;
}

void RecordMemory::remove_file() noexcept {
  if (!path_.empty()) (void)::unlink(std::exchange(path_, {}).c_str());
}

std::uint32_t RecordMemory::name(const char* file) noexcept {
  if (file == nullptr) return 0;
  RecordHeader& h = view_.header();
  for (std::uint32_t at = 1; at < h.name_bytes;) {
    const char* const known = view_.names() + at;
    if (std::strcmp(known, file) == 0) return at;
    at += static_cast<std::uint32_t>(std::strlen(known)) + 1;
  }
  const std::size_t bytes = std::strlen(file) + 1;
  if (bytes > kMaxNameBytes - h.name_bytes) return 0;
  const std::uint32_t at = h.name_bytes;
  std::memcpy(view_.names() + at, file, bytes);
  h.name_bytes = at + static_cast<std::uint32_t>(bytes);
  return at;
}

std::uint32_t RecordMemory::add_cell(Kind kind, const char* file, int line, std::uint16_t flags) noexcept {
  RecordHeader& h = view_.header();
  if (h.cells == kMaxCells) return 0;
  view_.keys()[h.cells] = {kind, name(file), line, 0};
  view_.counts()[h.cells].flags = flags;
  return h.cells++;
}

}  // namespace upcr::observe
