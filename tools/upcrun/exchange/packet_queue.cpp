// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/exchange/packet_queue.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace upcrun {

using upcr::wire::Header;

namespace {

// A file in memory with these bytes, which nobody can change any more. Empty: the system refuses.
UniqueFd make_file(std::string_view bytes) {
  UniqueFd writing(::memfd_create("upcr-table", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  for (std::size_t done = 0; writing && done < bytes.size();) {
    const ssize_t wrote = ::write(writing.get(), bytes.data() + done, bytes.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return {};
    done += static_cast<std::size_t>(wrote);
  }
  if (writing &&
      ::fcntl(writing.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return {};
  return writing;
}

ssize_t send_packet(int socket, const Header& header, std::string_view bytes, int file) {
  iovec parts[2] = {{const_cast<Header*>(&header), sizeof header},
                    {const_cast<char*>(bytes.data()), bytes.size()}};
  alignas(cmsghdr) char ancillary[CMSG_SPACE(sizeof file)] = {};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = bytes.empty() ? 1 : 2;
  if (file >= 0) {
    message.msg_control = ancillary;
    message.msg_controllen = sizeof ancillary;
    cmsghdr* const c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(c), &file, sizeof file);
  }
  ssize_t sent;
  do sent = ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent;
}

// The socket is full; or there are too many descriptors under way, which processes have not received yet.
bool later(int error) { return error == EAGAIN || error == ETOOMANYREFS; }

}  // namespace

Reply Reply::make(upcr::wire::Type type, std::string_view bytes) {
  Reply reply{{type, upcr::wire::kInPackets, bytes.size()}, nullptr, nullptr};
  if (bytes.size() > upcr::wire::kSmallReply) {
    if (UniqueFd file = make_file(bytes)) {
      reply.header.value = upcr::wire::kInFile;
      reply.file = std::make_shared<const UniqueFd>(std::move(file));
      return reply;
    }
  }
  if (!bytes.empty()) reply.bytes = std::make_shared<const std::string>(bytes);
  return reply;
}

void PacketQueue::push(std::string_view packet) {
  Reply content;
  std::memcpy(&content.header, packet.data(), std::min(packet.size(), sizeof content.header));
  packet.remove_prefix(std::min(packet.size(), sizeof content.header));
  if (!packet.empty()) content.bytes = std::make_shared<const std::string>(packet);
  packets_.push_back({std::move(content)});
}

void PacketQueue::flush(int socket) {
  while (socket >= 0 && !packets_.empty()) {
    Packet& packet = packets_.front();
    const std::string_view rest = packet.content.bytes
                                      ? std::string_view(*packet.content.bytes).substr(packet.sent)
                                      : std::string_view();
    const std::string_view chunk = rest.substr(0, upcr::wire::kChunk);
    const int file = packet.content.file ? packet.content.file->get() : -1;
    if (send_packet(socket, packet.content.header, chunk, file) < 0) {
      if (!later(errno)) clear();
      return;
    }
    packet.sent += chunk.size();
    if (chunk.size() == rest.size()) packets_.pop_front();
  }
}

}  // namespace upcrun
