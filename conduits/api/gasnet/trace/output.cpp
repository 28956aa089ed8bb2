// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/trace/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
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
std::FILE* open_file(const std::string& name, bool truncate) {
  if (name == "-" || name == "stderr") return stderr;
  if (name == "stdout") return stdout;
  const int fd =
      ::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (truncate ? O_TRUNC : 0), 0666);
  return fd >= 0 ? fdopen(fd, "a") : nullptr;
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
  if (file_ == nullptr) {
    warn("%sFILE=%s: cannot write %s: %s", prefix.c_str(), name, file.c_str(), std::strerror(errno));
    return false;
  }
  if (file_ != stderr && file_ != stdout) std::setvbuf(file_, nullptr, _IOFBF, kBuffer);
  return true;
}

bool Output::wants(char letter) const noexcept {
  return file_ != nullptr && (letters_ & bit_of(letter)) != 0;
}

// The buffer is written before a line that does not fit, so that nodes that share a file share no line.
void Output::add(const std::string& line) noexcept {
  if (file_ == nullptr) return;
  flockfile(file_);
  if (used_ + line.size() > kBuffer) {
    std::fflush(file_);
    used_ = 0;
  }
  std::fwrite(line.data(), 1, line.size(), file_);
  used_ += line.size();
  if (flushes_) std::fflush(file_);
  funlockfile(file_);
}

void Output::flush() noexcept {
  if (file_ != nullptr) std::fflush(file_);
}

}  // namespace upcr::gasnet
