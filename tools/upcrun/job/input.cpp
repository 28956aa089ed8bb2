// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/job/input.hpp"

#include <unistd.h>

#include <cerrno>

namespace upcrun {
namespace {

constexpr std::size_t kMaxInFlight = 64 * 1024;
constexpr std::size_t kRead = 16 * 1024;

}  // namespace

bool Input::in_background() const {
  return !over_ && ::isatty(STDIN_FILENO) != 0 && ::tcgetpgrp(STDIN_FILENO) != ::getpgrp();
}

bool Input::wanted() const { return !over_ && under_way_ < kMaxInFlight && !in_background(); }

void Input::forward(Link& link) {
  buffer_.resize(kRead);
  const ssize_t got = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  over_ = got <= 0;
  under_way_ += over_ ? 0 : static_cast<std::size_t>(got);
  link.send(MessageType::kInput, 0, {buffer_.data(), over_ ? 0 : static_cast<std::size_t>(got)});
}

}  // namespace upcrun
