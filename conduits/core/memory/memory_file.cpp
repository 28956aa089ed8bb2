// SPDX-License-Identifier: BSD-3-Clause
// One memfd for each group: the group's first process makes it and passes it to the others through an
// abstract socket, whose name and cookie the bootstrap has distributed. Works under any launcher.
#include "conduits/core/memory/memory_file.hpp"

#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/base/system/signal_blocker.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/model/topology.hpp"

namespace upcr {
namespace {

constexpr int kHandOverSeconds = 60;

// Sent by the group's first process to the others.
struct Rendezvous {
  char name[64];
  std::uint64_t cookie;
};

sockaddr_un abstract_address(const Rendezvous& r, socklen_t* size) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t n = std::strlen(r.name);
  std::memcpy(address.sun_path + 1, r.name, n);
  *size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + n);
  return address;
}

int listen_at(const Rendezvous& r, int backlog) {
  socklen_t size;
  const sockaddr_un address = abstract_address(r, &size);
  const int s = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (s < 0 || ::bind(s, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(s, backlog) != 0)
    fatal_errno("cannot open the local socket '@%s' that passes on the shared memory", r.name);
  const timeval limit{kHandOverSeconds, 0};
  ::setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);  // accept() honours it
  return s;
}

// A message of one byte, with room for a descriptor.
struct FdMessage {
  FdMessage() noexcept {
    head.msg_iov = &io;
    head.msg_iovlen = 1;
    head.msg_control = control;
    head.msg_controllen = sizeof control;
  }
  FdMessage(const FdMessage&) = delete;

  char byte = 'm';
  iovec io{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr head{};
};

void send_fd(int socket, int fd) {
  FdMessage message;
  cmsghdr* c = CMSG_FIRSTHDR(&message.head);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(c), &fd, sizeof fd);
  if (::sendmsg(socket, &message.head, MSG_NOSIGNAL) != 1)
    fatal_errno("cannot pass the shared memory to a neighbour");
}

int receive_fd(int socket) {
  FdMessage message;
  if (::recvmsg(socket, &message.head, MSG_CMSG_CLOEXEC) != 1 || CMSG_FIRSTHDR(&message.head) == nullptr)
    fatal_errno("the group's first process did not pass on the shared memory within %d s", kHandOverSeconds);
  int fd;
  std::memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message.head)), sizeof fd);
  return fd;
}

// Is the peer a process of this user that has sent the cookie? Other connections are closed.
bool is_authenticated(int connection, std::uint64_t cookie) {
  ucred peer{};
  socklen_t size = sizeof peer;
  const timeval limit{5, 0};
  ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  std::uint64_t received = 0;
  return ::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid() &&
         ::recv(connection, &received, sizeof received, MSG_WAITALL) == sizeof received && received == cookie;
}

int make_memory(std::size_t bytes) {
  const int fd = ::memfd_create("upcr", MFD_CLOEXEC);
  if (fd < 0) fatal_errno("memfd_create failed: the kernel gives no anonymous shared memory");
  const SignalBlocker limit_is_an_error(SIGXFSZ);
  if (::ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    char size[32];
    fatal_errno("cannot size the host's shared memory to %s (check ulimit -f); lower UPC_SHARED_HEAP_SIZE",
                format_size(bytes, size, sizeof size));
  }
  return fd;
}

void hand_out(int listener, int fd, const Rendezvous& r, Rank neighbours) {
  for (Rank served = 0; served < neighbours;) {
    const int connection = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0)
      fatal_errno("only %u of %u neighbours have fetched the shared memory within %d s", served, neighbours,
                  kHandOverSeconds);
    if (is_authenticated(connection, r.cookie)) {
      send_fd(connection, fd);
      ++served;
    }
    ::close(connection);
  }
}

int fetch(const Rendezvous& r) {
  socklen_t size;
  const sockaddr_un address = abstract_address(r, &size);
  const int s = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval limit{kHandOverSeconds, 0};
  if (s >= 0) ::setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (s < 0 || ::connect(s, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::send(s, &r.cookie, sizeof r.cookie, MSG_NOSIGNAL) != sizeof r.cookie)
    fatal_errno("cannot reach the group's first process at the local socket '@%s'", r.name);
  const int fd = receive_fd(s);
  ::close(s);
  return fd;
}

}  // namespace

MemoryFile::~MemoryFile() {
  if (control_ != nullptr) ::munmap(control_, control_bytes_);
  if (fd_ >= 0) ::close(fd_);
}

MemoryFile::Area MemoryFile::reserve(std::size_t bytes, std::size_t alignment) {
  UPCR_ASSERT(control_ == nullptr);
  const Area area{round_up(control_bytes_, alignment < 64 ? 64 : alignment), bytes};
  control_bytes_ = area.offset + bytes;
  return area;
}

void MemoryFile::create(Bootstrap& bootstrap, const Topology& topology, Rank first_rank, Rank size,
                        std::size_t segment_bytes) {
  control_bytes_ = round_up(control_bytes_ + 1, std::size_t{2} << 20);
  const bool first = topology.rank == first_rank;

  Rendezvous mine{};
  int listener = -1;
  if (first) {
    if (::getrandom(&mine.cookie, sizeof mine.cookie, 0) != sizeof mine.cookie)
      fatal_errno("cannot draw a random cookie");
    std::snprintf(mine.name, sizeof mine.name, "upcr-%d-%u-%08x", static_cast<int>(::getpid()), topology.rank,
                  static_cast<unsigned>(mine.cookie >> 32));
    fd_ = make_memory(control_bytes_ + segment_bytes);
    if (size > 1) listener = listen_at(mine, static_cast<int>(size));
  }
  if (topology.size > 1) {
    std::vector<Rendezvous> all(topology.size);
    bootstrap.allgather(&mine, sizeof mine, all.data());
    if (first) {
      hand_out(listener, fd_, mine, size - 1);
    } else {
      fd_ = fetch(all[first_rank]);
    }
  }
  if (listener >= 0) ::close(listener);

  void* p = ::mmap(nullptr, control_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_, 0);
  if (p == MAP_FAILED) {
    char text[32];
    fatal_errno("cannot map %s of the host's shared memory (check ulimit -v)",
                format_size(control_bytes_, text, sizeof text));
  }
  control_ = static_cast<char*>(p);
}

}  // namespace upcr
