// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/watch/mappings.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace upcr::ibv {
namespace {

// Lines of a file through a buffer on the stack.
class Lines {
 public:
  explicit Lines(int fd) noexcept : fd_(fd) {}
  // The next line, or null at the end. The end of a very long one is cut off.
  const char* next() noexcept {
    for (;;) {
      char* const newline = static_cast<char*>(std::memchr(buffer_ + at_, '\n', filled_ - at_));
      if (newline != nullptr) {
        *newline = '\0';
        const char* line = buffer_ + at_;
        at_ = static_cast<std::size_t>(newline - buffer_) + 1;
        return line;
      }
      std::memmove(buffer_, buffer_ + at_, filled_ - at_);
      filled_ -= at_;
      at_ = 0;
      const ssize_t n = read(fd_, buffer_ + filled_, sizeof buffer_ - filled_);
      if (n <= 0) return nullptr;
      filled_ += static_cast<std::size_t>(n);
    }
  }

 private:
  int fd_;
  std::size_t at_ = 0, filled_ = 0;
  char buffer_[16 * 1024];  // a line has a path of 4096 bytes at most
};

}  // namespace

// "7f1c2a600000-7f1c2a800000 rw-p 00000000 00:00 0                          [heap]"
bool parse_mapping(const char* line, Mapping* mapping) noexcept {
  std::uint64_t begin = 0, end = 0, inode = 0;
  char access[5] = "";
  int name = 0;
  if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*x %*x:%*x %" SCNu64 " %n", &begin, &end, access,
                  &inode, &name) != 4)
    return false;
  mapping->begin = begin;
  mapping->end = end;
  mapping->writable = access[1] == 'w';
  // Huge pages have a file of their own, which no process can open.
  mapping->anonymous =
      access[3] == 'p' && (inode == 0 || std::strcmp(line + name, "/anon_hugepage (deleted)") == 0);
  return true;
}

unsigned mappings_of(std::uintptr_t begin, std::uintptr_t end, Mapping* mappings, unsigned most) noexcept {
  const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  Lines lines(fd);
  unsigned count = 0;
  std::uintptr_t covered = begin;
  while (const char* line = lines.next()) {
    Mapping mapping;
    if (!parse_mapping(line, &mapping) || mapping.end <= begin) continue;
    if (mapping.begin > covered || count == most) break;
    mappings[count++] = mapping;
    covered = mapping.end;
    if (covered >= end) break;
  }
  close(fd);
  return covered >= end ? count : 0;
}

}  // namespace upcr::ibv
