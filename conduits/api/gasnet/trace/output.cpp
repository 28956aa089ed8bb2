// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/trace/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "conduits/api/gasnet/tools/numbers.hpp"
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

bool Output::open(const std::string& what, unsigned node, bool truncate) {
  const std::string prefix = "GASNET_" + what;
  const char* const name = gasnett_getenv_withdefault((prefix + "FILE").c_str(), "");
  if (name == nullptr || *name == '\0') return false;
  const char* const nodes = gasnett_getenv_withdefault((prefix + "NODES").c_str(), "");
  if (nodes != nullptr && *nodes != '\0' && !in_list(nodes, node)) return false;
  letters_ = read_letters(gasnett_getenv_withdefault((prefix + "MASK").c_str(), ""));
  const std::string file = file_of_node(name, node);
  file_ = open_file(file, truncate || file != name);
  if (file_ < 0) {
    warn("%sFILE=%s: cannot write %s: %s", prefix.c_str(), name, file.c_str(), std::strerror(errno));
    return false;
  }
  flushes_ = file_ == STDERR_FILENO;
  buffer_.reserve(kBuffer);
  return true;
}

bool Output::wants(char letter) const noexcept { return file_ >= 0 && (letters_ & bit_of(letter)) != 0; }

// A line that does not fit has the lines before it written first, all by one call, so that nodes that share a
// file share no line.
void Output::add(const std::string& line) noexcept {
  if (file_ < 0) return;
  const std::lock_guard guard(mutex_);
  if (buffer_.size() + line.size() > kBuffer) write_buffer();
  buffer_ += line;
  if (flushes_) write_buffer();
}

void Output::flush() noexcept {
  if (file_ < 0) return;
  const std::lock_guard guard(mutex_);
  write_buffer();
}

void Output::flush_in_crash() noexcept {
  if (file_ < 0 || !mutex_.try_lock()) return;
  write_all_of_buffer();
  mutex_.unlock();
}

void Output::write_buffer() noexcept {
  if (file_ == STDOUT_FILENO) std::fflush(stdout);  // what the program has printed before
  write_all_of_buffer();
}

void Output::write_all_of_buffer() noexcept {
  for (std::size_t at = 0; at < buffer_.size();) {
    const ssize_t n = ::write(file_, buffer_.data() + at, buffer_.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;  // a full disk: what comes after it is lost
    at += static_cast<std::size_t>(n);
  }
  buffer_.clear();
}

}  // namespace upcr::gasnet
