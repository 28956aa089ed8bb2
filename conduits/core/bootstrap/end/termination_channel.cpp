// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/bootstrap/end/termination_channel.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <ctime>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/text.hpp"

namespace upcr {
namespace {

constexpr std::uint32_t kMagic = 0x55504346;

// The address of a rank's socket in the abstract name space: a leading zero, no file.
sockaddr_un near_address(const std::string& job, Rank rank, socklen_t* length) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  SafeText name(address.sun_path + 1, sizeof address.sun_path - 1);
  name.add(job).add_number(rank);
  *length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

int make_near_socket() {
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  if (fd >= 0) (void)::setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
  return fd;
}

// Bound to any address, at a port that the kernel chooses. Serves both versions of IP where the host has
// both.
int make_far_socket() {
  sockaddr_in6 any{};
  any.sin6_family = AF_INET6;
  const int no = 0;
  int fd = ::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd >= 0) {
    if (::setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) == 0 &&
        ::bind(fd, reinterpret_cast<const sockaddr*>(&any), sizeof any) == 0)
      return fd;
    ::close(fd);
  }
  sockaddr_in any4{};
  any4.sin_family = AF_INET;
  fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && ::bind(fd, reinterpret_cast<const sockaddr*>(&any4), sizeof any4) == 0) return fd;
  if (fd >= 0) ::close(fd);
  return -1;
}

sockaddr_storage name_of(int fd) {
  sockaddr_storage name{};
  socklen_t length = sizeof name;
  (void)::getsockname(fd, reinterpret_cast<sockaddr*>(&name), &length);
  return name;
}

in6_addr mapped(const in_addr& address) {
  in6_addr out{};
  out.s6_addr[10] = out.s6_addr[11] = 0xff;
  std::memcpy(&out.s6_addr[12], &address, sizeof address);
  return out;
}

}  // namespace

TerminationChannel::TerminationChannel(Bootstrap& bootstrap)
    : name_("upcr-end-" + bootstrap.job_id() + "-"), rank_(bootstrap.rank()), size_(bootstrap.size()) {
  socklen_t length;
  const sockaddr_un address = near_address(name_, rank_, &length);
  own_.near = make_near_socket();
  if (own_.near < 0 || ::bind(own_.near, reinterpret_cast<const sockaddr*>(&address), length) != 0)
    fatal_errno("cannot make the socket by which this process is notified of the job's end (descriptor %d)",
                own_.near);
  own_.far = make_far_socket();
  const Address mine = my_address();
  addresses_.resize(size_);
  bootstrap.allgather(&mine, sizeof mine, addresses_.data());
  find_neighbours();
}

TerminationChannel::Address TerminationChannel::my_address() const {
  Address mine{};
  (void)!::getrandom(&mine.secret, sizeof mine.secret, 0);  // rank 0's is the job's
  ifaddrs* list = nullptr;
  if (own_.far < 0 || ::getifaddrs(&list) != 0) return mine;
  const sockaddr_storage name = name_of(own_.far);
  const bool both = name.ss_family == AF_INET6;
  mine.port = both ? reinterpret_cast<const sockaddr_in6&>(name).sin6_port
                   : reinterpret_cast<const sockaddr_in&>(name).sin_port;
  for (const ifaddrs* i = list; i != nullptr && mine.count < kMaxAddresses; i = i->ifa_next) {
    if (i->ifa_addr == nullptr || (i->ifa_flags & IFF_UP) == 0 || (i->ifa_flags & IFF_LOOPBACK) != 0)
      continue;
    if (i->ifa_addr->sa_family == AF_INET) {
      mine.at[mine.count++] = mapped(reinterpret_cast<const sockaddr_in*>(i->ifa_addr)->sin_addr);
    } else if (i->ifa_addr->sa_family == AF_INET6 && both) {
      const in6_addr& at = reinterpret_cast<const sockaddr_in6*>(i->ifa_addr)->sin6_addr;
      if (!IN6_IS_ADDR_LINKLOCAL(&at)) mine.at[mine.count++] = at;
    }
  }
  ::freeifaddrs(list);
  return mine;
}

// All have their sockets by now.
void TerminationChannel::find_neighbours() {
  near_.resize(size_);
  const Sockets probe{make_near_socket(), -1};
  for (Rank r = 0; r < size_; ++r) {
    socklen_t length;
    const sockaddr_un address = near_address(name_, r, &length);
    near_[r] = r == rank_ || ::connect(probe.near, reinterpret_cast<const sockaddr*>(&address), length) == 0;
  }
  close(probe);
}

TerminationChannel::Sockets TerminationChannel::open() const {
  sockaddr_un any{};
  any.sun_family = AF_UNIX;
  Sockets made{make_near_socket(), make_far_socket()};
  // The kernel chooses a name, for the replies.
  if (made.near >= 0) (void)::bind(made.near, reinterpret_cast<const sockaddr*>(&any), sizeof any.sun_family);
  return made;
}

void TerminationChannel::close(const Sockets& sockets) {
  if (sockets.near >= 0) (void)::close(sockets.near);
  if (sockets.far >= 0) (void)::close(sockets.far);
}

TerminationChannel::Datagram TerminationChannel::datagram(MessageType type, int status) const {
  return {kMagic, type, status, rank_, addresses_[0].secret};
}

bool TerminationChannel::send(const Sockets& from, Rank to, MessageType type, int status) const {
  return near_[to] ? send_near(from.near, to, datagram(type, status))
                   : send_far(from.far, to, datagram(type, status));
}

// A socket's queue is short (ten datagrams), and its reader is quick.
bool TerminationChannel::send_near(int fd, Rank to, const Datagram& datagram) const {
  socklen_t length;
  const sockaddr_un address = near_address(name_, to, &length);
  const timespec moment{0, 1000000};
  for (int tries = 0; tries < 200; ++tries) {
    if (::sendto(fd, &datagram, sizeof datagram, MSG_DONTWAIT | MSG_NOSIGNAL,
                 reinterpret_cast<const sockaddr*>(&address), length) == sizeof datagram)
      return true;
    if (errno != EAGAIN && errno != EINTR) return false;
    ::nanosleep(&moment, nullptr);
  }
  return false;
}

// To each of its addresses: which of them are on a common network is not known.
bool TerminationChannel::send_far(int fd, Rank to, const Datagram& datagram) const {
  const Address& peer = addresses_[to];
  if (fd < 0 || peer.port == 0) return false;
  const bool both = name_of(fd).ss_family == AF_INET6;
  bool sent = false;
  for (unsigned i = 0; i < peer.count; ++i) {
    ssize_t n = -1;
    if (both) {
      sockaddr_in6 address{};
      address.sin6_family = AF_INET6;
      address.sin6_port = peer.port;
      address.sin6_addr = peer.at[i];
      n = ::sendto(fd, &datagram, sizeof datagram, MSG_DONTWAIT | MSG_NOSIGNAL,
                   reinterpret_cast<const sockaddr*>(&address), sizeof address);
    } else if (IN6_IS_ADDR_V4MAPPED(&peer.at[i])) {
      sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_port = peer.port;
      std::memcpy(&address.sin_addr, &peer.at[i].s6_addr[12], sizeof address.sin_addr);
      n = ::sendto(fd, &datagram, sizeof datagram, MSG_DONTWAIT | MSG_NOSIGNAL,
                   reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
    sent |= n == sizeof datagram;
  }
  return sent;
}

bool TerminationChannel::receive(int fd, Datagram* datagram, Sender* sender) const {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))];
  iovec part{datagram, sizeof *datagram};
  msghdr message{};
  message.msg_name = &sender->address;
  message.msg_namelen = sizeof sender->address;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (::recvmsg(fd, &message, MSG_DONTWAIT) != sizeof *datagram || datagram->magic != kMagic ||
      datagram->from >= size_)
    return false;
  sender->length = message.msg_namelen;
  if (sender->address.ss_family != AF_UNIX) return datagram->secret == addresses_[0].secret;
  const cmsghdr* c = CMSG_FIRSTHDR(&message);
  if (c == nullptr || c->cmsg_type != SCM_CREDENTIALS) return false;
  ucred user;
  std::memcpy(&user, CMSG_DATA(c), sizeof user);
  return user.uid == ::geteuid() || user.uid == 0;
}

void TerminationChannel::reply(int fd, const Sender& sender, MessageType type, int status) const {
  const Datagram message = datagram(type, status);
  (void)::sendto(fd, &message, sizeof message, MSG_DONTWAIT | MSG_NOSIGNAL,
                 reinterpret_cast<const sockaddr*>(&sender.address), sender.length);
}

}  // namespace upcr
