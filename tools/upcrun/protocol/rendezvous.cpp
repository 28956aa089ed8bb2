// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/protocol/rendezvous.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "tools/upcrun/base/addresses.hpp"
#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/base/failure.hpp"

namespace upcrun {
namespace {

// Time limits for one address, to connect and to receive the job token. The first round is short, because
// upcrun's host may have addresses that cannot be reached from here; later rounds give a loaded machine more
// time.
constexpr long kRounds[] = {2'000, 5'000, 15'000};

// upcrun may close a connection before it has read the token prefix, because of many others; then the agent
// tries again soon.
constexpr char kClosed[] = "closed the connection";
constexpr int kMaxClosed = 20;
constexpr long kPause = 50;  // ms

// Returns 0 or the errno.
int finish_connecting(int fd, const SocketAddress& to, long timeout_ms) {
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&to.storage), to.length) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  pollfd wait{fd, POLLOUT, 0};
  if (::poll(&wait, 1, static_cast<int>(timeout_ms)) <= 0) return ETIMEDOUT;
  int error = 0;
  socklen_t length = sizeof error;
  (void)::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length);
  return error;
}

// Connects and waits for the job token. Returns nothing on failure, with the reason in *why.
std::optional<Link> try_address(const Rendezvous& where, const SocketAddress& address, long timeout_ms,
                                std::string* why) {
  UniqueFd fd(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd) {
    *why = std::strerror(errno);
    return std::nullopt;
  }
  set_up_socket(fd.get());
  if (const int error = finish_connecting(fd.get(), address, timeout_ms)) {
    *why = std::strerror(error);
    return std::nullopt;
  }
  Link link(std::move(fd), kMaxHelloBytes);
  link.send(MessageType::kAuthBegin, kLinkVersion, where.credentials.token_prefix());
  Message reply{};
  const Milliseconds until = now_ms() + timeout_ms;
  if (!wait_for_message(link, timeout_ms, &reply)) {
    *why = now_ms() < until && !link.broken() ? kClosed : "another program answers";
    return std::nullopt;
  }
  if (reply.type == MessageType::kAuthReply && same_secret(where.credentials.job_token, reply.payload))
    return link;
  *why = "another program answers";
  return std::nullopt;
}

}  // namespace

bool wait_for_message(Link& link, long timeout_ms, Message* out) {
  const Milliseconds until = now_ms() + timeout_ms;
  for (;;) {
    if (const auto message = link.next()) {
      *out = *message;
      return true;
    }
    const Milliseconds rest = until - now_ms();
    if (rest <= 0 || link.broken()) return false;
    pollfd wait{link.fd(), POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(rest)) > 0 && !link.fill()) {
      // The connection is closed, but a whole frame may have arrived.
      const auto last = link.next();
      if (last) *out = *last;
      return last.has_value();
    }
  }
}

Link connect_to_upcrun(const Rendezvous& where, const Hello& hello) {
  std::string tried;
  for (const long timeout_ms : kRounds) {
    tried.clear();
    for (const std::string& text : where.addresses) {
      const auto address = to_socket_address(text, where.port);
      if (!address) continue;
      std::string why;
      std::optional<Link> link = try_address(where, *address, timeout_ms, &why);
      for (int i = 0; !link && why == kClosed && i < kMaxClosed; ++i) {
        (void)::poll(nullptr, 0, kPause);
        link = try_address(where, *address, timeout_ms, &why);
      }
      if (link) {
        link->send(MessageType::kHello, kLinkVersion, hello.format());
        return *std::move(link);
      }
      tried += (tried.empty() ? "" : "; ") + describe(*address) + ": " + why;
    }
  }
  throw Failure{1, "cannot reach upcrun (" + tried +
                       "); if its host has an address that this one reaches, name it, or its interface, in "
                       "UPCR_LAUNCH_IFACE"};
}

}  // namespace upcrun
