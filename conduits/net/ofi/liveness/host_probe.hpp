// SPDX-License-Identifier: BSD-3-Clause
// Can the host of another process be reached, whatever that process does? Over TCP a cut wire looks like a
// peer that computes: nothing arrives. A probe is a TCP connection to a socket on which the peer listens. The
// kernel of the peer's host makes the connection and acknowledges its keepalive segments (RFC 9293, 3.8.4)
// while the process computes or is stopped by a debugger; when the process polls, it closes the connection,
// which is its sign of life. No data is ever sent.
//
// Threads: one at a time.
#pragma once
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <utility>

namespace upcr::ofi {

class ProbeListener {
 public:
  // Connections that may wait to be accepted, at least: those of abandoned probes do, too.
  static constexpr unsigned kMinQueue = 128;

  ProbeListener() = default;
  ProbeListener(const ProbeListener&) = delete;
  ProbeListener& operator=(const ProbeListener&) = delete;
  ~ProbeListener() { close(); }

  // Listens at this address of IPv4 or IPv6, for `processes` that probe at the same time. Returns the port;
  // 0: it cannot.
  std::uint16_t open(const sockaddr_storage& own, unsigned processes);
  // Ends the probes that have come: this process polls.
  void answer() noexcept;
  void close() noexcept;

 private:
  int fd_ = -1;
};

class HostProbe {
 public:
  enum class State {
    kConnecting,
    kReached,   // the host is there
    kAnswered,  // the process is there, and polls
    kGone,      // the host is there, the process is not
    kCut,       // it was there, and has not acknowledged for `seconds`
    kUnknown,   // no connection can be tried from here: no descriptor is free, for instance
  };

  // `to`: with the port. `seconds`: without acknowledgement, of a connection that was made.
  HostProbe(const sockaddr_storage& to, unsigned seconds) noexcept : to_(to), seconds_(seconds) { connect(); }
  HostProbe(HostProbe&& other) noexcept
      : to_(other.to_), seconds_(other.seconds_), fd_(std::exchange(other.fd_, -1)), state_(other.state_) {}
  HostProbe& operator=(HostProbe&& other) noexcept {
    std::swap(to_, other.to_);
    std::swap(seconds_, other.seconds_);
    std::swap(fd_, other.fd_);
    std::swap(state_, other.state_);
    return *this;
  }
  ~HostProbe() { close(); }

  // What is known now. Tries again to connect where the network has refused so far.
  State state() noexcept;

 private:
  void connect() noexcept;
  void failed(int error) noexcept;
  void close() noexcept;

  sockaddr_storage to_;
  unsigned seconds_;
  int fd_ = -1;
  State state_ = State::kConnecting;
};

// An address with another port, and its length.
void set_port(sockaddr_storage& address, std::uint16_t port) noexcept;
socklen_t length_of(const sockaddr_storage& address) noexcept;

}  // namespace upcr::ofi
