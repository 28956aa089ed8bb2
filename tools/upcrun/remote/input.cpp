// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/remote/input.hpp"

#include <unistd.h>

#include <cerrno>

namespace upcrun {
namespace {

constexpr std::size_t kMaxInFlight = 64 * 1024;
constexpr std::size_t kRead = 16 * 1024;

}  // namespace

bool StandardInput::in_background() const {
  return !closed_ && ::isatty(STDIN_FILENO) != 0 && ::tcgetpgrp(STDIN_FILENO) != ::getpgrp();
}

bool StandardInput::wanted() const { return !closed_ && in_flight_ < kMaxInFlight && !in_background(); }

void StandardInput::forward(Link& link) {
  buffer_.resize(kRead);
  const ssize_t got = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  closed_ = got <= 0;
  in_flight_ += closed_ ? 0 : static_cast<std::size_t>(got);
  link.send(MessageType::kInput, 0, {buffer_.data(), closed_ ? 0 : static_cast<std::size_t>(got)});
}

}  // namespace upcrun
