// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/base/system/text.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "conduits/core/base/system/signal_blocker.hpp"

namespace upcr {

void write_all(int fd, const char* data, std::size_t bytes) noexcept {
  const SignalBlocker no_signal(SIGXFSZ);  // output beyond `ulimit -f` is lost
  while (bytes > 0) {
    const ssize_t n = ::write(fd, data, bytes);
    if (n >= 0) {
      data += n;
      bytes -= static_cast<std::size_t>(n);
    } else if (errno == EAGAIN) {
      pollfd ready{fd, POLLOUT, 0};
      if (::poll(&ready, 1, 1000) == 0) return;  // no process reads: the text is lost, the process goes on
    } else if (errno != EINTR) {
      return;
    }
  }
}

}  // namespace upcr
