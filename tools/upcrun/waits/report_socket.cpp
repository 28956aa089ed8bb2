// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/waits/report_socket.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "conduits/core/bootstrap/upcrun/report_address.hpp"

namespace upcrun {
namespace {

UniqueFd listen_at(pid_t upcrun) {
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  sockaddr_un address;
  const socklen_t length = upcr::wire::report_address(upcrun, &address);
  if (!socket || ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0 ||
      ::listen(socket.get(), 8) != 0)
    return UniqueFd();
  return socket;
}

bool may_ask(int socket) {
  ucred peer{};
  socklen_t length = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 &&
         (peer.uid == ::getuid() || peer.uid == 0);
}

}  // namespace

ReportSocket::ReportSocket(pid_t upcrun, std::function<void(Done)> request)
    : listener_(listen_at(upcrun)), request_(std::move(request)) {}

void ReportSocket::collect(std::vector<pollfd>& fds) const {
  fds.push_back({clients_.size() < kMaxClients ? listener_.get() : -1, POLLIN, 0});
  for (const auto& client : clients_)
    fds.push_back({client->socket.get(), static_cast<short>(client->ready ? POLLOUT : 0), 0});
}

void ReportSocket::handle(const pollfd* fds, std::size_t count) {
  for (std::size_t i = 1; i < count; ++i) {
    if ((fds[i].revents & (POLLERR | POLLHUP)) != 0)
      clients_[i - 1]->socket.reset();
    else if (fds[i].revents != 0)
      write(*clients_[i - 1]);
  }
  std::erase_if(clients_, [](const auto& client) { return !client->socket; });
  if (fds[0].revents != 0) accept_one();
}

void ReportSocket::accept_one() {
  UniqueFd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket || !may_ask(socket.get())) return;
  clients_.push_back(std::make_shared<Client>());
  const std::shared_ptr<Client> client = clients_.back();
  client->socket = std::move(socket);
  request_([client](const std::string& report) {
    client->text = report;
    client->ready = true;
  });
}

void ReportSocket::write(Client& client) {
  if (!client.ready) return;
  const ssize_t done = ::send(client.socket.get(), client.text.data() + client.written,
                              client.text.size() - client.written, MSG_NOSIGNAL);
  if (done < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (done > 0) client.written += static_cast<std::size_t>(done);
  if (done < 0 || client.written == client.text.size()) client.socket.reset();
}

}  // namespace upcrun
