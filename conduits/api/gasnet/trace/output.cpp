// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/trace/output.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <new>

#include "conduits/api/gasnet/tools/numbers.hpp"
#include "conduits/api/gasnet/trace/shared_memory.hpp"
#include "conduits/core/base/report/error.hpp"
#include "include/gasnet/tools/environment.h"

namespace upcr::gasnet {
namespace {

std::uint32_t bit_of(char letter) noexcept {
  const int upper = std::toupper(static_cast<unsigned char>(letter));
  return upper >= 'A' && upper <= 'Z' ? 1u << (upper - 'A') : 0;
}

// Unset or empty: all letters.
std::uint32_t read_letters(const char* mask) {
  if (mask == nullptr || *mask == '\0') return ~0u;
  std::uint32_t letters = bit_of('U');
  for (; *mask != '\0'; ++mask) letters |= bit_of(*mask);
  return letters;
}

// Nodes that share a file append to it.
int open_file(const std::string& name, bool truncate) {
  if (name == "-" || name == "stderr") return STDERR_FILENO;
  if (name == "stdout") return STDOUT_FILENO;
  return ::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (truncate ? O_TRUNC : 0), 0666);
}

}  // namespace

std::string file_of_node(const std::string& name, unsigned node) {
  std::string file;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '%')
      file += name[i];
    else if (i + 1 == name.size() || name[i + 1] != '%')
      file += std::to_string(node);
  }
  return file;
}

bool Output::open(const std::string& what, unsigned node, bool truncate, const Output* other) {
  const std::string prefix = "GASNET_" + what;
  variable_ = prefix + "FILE";
  const char* const name = gasnett_getenv_withdefault(variable_.c_str(), "");
  if (name == nullptr || *name == '\0') return false;
  const char* const nodes = gasnett_getenv_withdefault((prefix + "NODES").c_str(), "");
  if (nodes != nullptr && *nodes != '\0' && !in_list(nodes, node)) return false;
  letters_ = read_letters(gasnett_getenv_withdefault((prefix + "MASK").c_str(), ""));
  const std::string& file = name_ = file_of_node(name, node);
  const bool same = other != nullptr && other->file_ >= 0 && other->name_ == file;
  file_ = same ? other->file_ : open_file(file, truncate || file != name);
  if (file_ < 0) {
    warn("%s=%s: cannot write %s: %s", variable_.c_str(), name, file.c_str(), std::strerror(errno));
    return false;
  }
  is_shared_ = file == name && file_ > STDERR_FILENO;
  buffer_ = make_shared_object<Buffer>();
  if (buffer_ == nullptr) {
    warn("%s=%s: there is no memory for it", variable_.c_str(), name);
    file_ = -1;
    return false;
  }
  flushes_ = file_ == STDERR_FILENO;
  return true;
}

bool Output::wants(char letter) const noexcept { return file_ >= 0 && (letters_ & bit_of(letter)) != 0; }

// A line that does not fit has the lines before it written first, all by one call, so that nodes that share a
// file share no line.
void Output::add(std::string_view line) noexcept {
  if (file_ < 0) return;
  const std::lock_guard guard(mutex_);
  std::size_t used = buffer_->used.load(std::memory_order_relaxed);
  if (used + line.size() > kBuffer) {
    write_buffer();
    used = 0;
  }
  std::memcpy(buffer_->text + used, line.data(), line.size());
  buffer_->used.store(used + line.size(), std::memory_order_release);
  if (flushes_) write_buffer();
}

void Output::flush() noexcept {
  if (file_ < 0) return;
  const std::lock_guard guard(mutex_);
  write_buffer();
}

void Output::flush_in_crash() noexcept {
  if (file_ < 0 || !mutex_.try_lock()) return;
  (void)write_all_of_buffer();
  mutex_.unlock();
}

// No other thread is in the keeper, but one of the node may have had the lock when this process was made.
void Output::take_over() noexcept {
  if (file_ < 0) return;
  new (&mutex_) std::recursive_mutex;
  flushes_ = true;
  lock_file();
  (void)write_from(buffer_->is_written.load() ? find_written() : 0);
  unlock_file();
}

// kill -9 may end a write in the middle. The position of the file is that after the write: what the buffer
// begins with and the file there ends with has been written. A file that has no position or that cannot be
// read, as a pipe, gets nothing twice.
std::size_t Output::find_written() const noexcept {
  const std::size_t used = buffer_->used.load();
  const off_t end = ::lseek(file_, 0, SEEK_CUR);
  if (end >= 0 && end == buffer_->position) return 0;
  char name[40];
  (void)std::snprintf(name, sizeof name, "/proc/self/fd/%d", file_);
  struct stat about {};
  if (end < 0 || ::fstat(file_, &about) != 0 || !S_ISREG(about.st_mode)) return used;
  const int file = ::open(name, O_RDONLY | O_CLOEXEC);
  static char last[kBuffer];
  const auto most = std::min<std::size_t>(used, static_cast<std::size_t>(end));
  if (file < 0 || ::pread(file, last, most, end - static_cast<off_t>(most)) != static_cast<ssize_t>(most))
    return used;
  for (std::size_t n = most; n > 0; --n)
    if (std::memcmp(last + most - n, buffer_->text, n) == 0) return n;
  return used;
}

// No node writes between the two parts of a line whose writer was killed: the lock belongs to the open file,
// which the keeper has in common with its node, and so is held until the keeper has written the second part.
// For a second at most: a node that was stopped in between keeps no other one waiting.
void Output::lock_file() const noexcept {
  const timespec pause{0, 500'000};
  for (int tries = 0; is_shared_ && tries < 2000; ++tries) {
    if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
    if (errno != EWOULDBLOCK && errno != EINTR) return;  // this file system has no locks
    (void)::nanosleep(&pause, nullptr);
  }
}

void Output::unlock_file() const noexcept {
  if (is_shared_) (void)::flock(file_, LOCK_UN);
}

void Output::write_buffer() noexcept {
  if (file_ == STDOUT_FILENO) std::fflush(stdout);  // what the program has printed before
  lock_file();
  const int error = write_all_of_buffer();
  unlock_file();
  if (error == 0 || has_warned_) return;
  has_warned_ = true;
  warn("%s: cannot write %s: %s; lines are lost", variable_.c_str(), name_.c_str(), std::strerror(error));
}

int Output::write_all_of_buffer() noexcept {
  buffer_->position = ::lseek(file_, 0, SEEK_CUR);
  buffer_->is_written.store(true);
  return write_from(0);
}

int Output::write_from(std::size_t at) noexcept {
  int error = 0;
  for (const std::size_t used = buffer_->used.load(); at < used;) {
    const ssize_t n = ::write(file_, buffer_->text + at, used - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {  // a full disk: what comes after it is lost
      error = n < 0 ? errno : ENOSPC;
      break;
    }
    at += static_cast<std::size_t>(n);
  }
  buffer_->used.store(0);
  buffer_->is_written.store(false);
  return error;
}

}  // namespace upcr::gasnet
