// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/job/control.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tools/upcrun/base/packet_socket.hpp"

namespace upcrun {

using upcr::wire::Header;
using upcr::wire::Type;

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;  // of one process in one collective
constexpr std::size_t kMaxUnsent = 256 * 1024;                // on a link, beside what one packet holds

}  // namespace

void Control::receive(unsigned rank) {
  while (peers_[rank].socket && receive_one(rank)) {
  }
}

// Returns false when no more packets have arrived.
bool Control::receive_one(unsigned rank) {
  static char packet[kMaxPacketBytes];
  pid_t sender = 0;
  const ssize_t got = receive_packet(peers_[rank].socket.get(), packet, sizeof packet, &sender);
  if (got < 0 && errno == EINTR) return true;
  if (got < 0 && errno == EAGAIN) return false;
  if (got <= 0) {
    peers_[rank].socket.reset();
    peers_[rank].queue.clear();
    listener_.on_closed(rank);
    return false;
  }
  deliver(rank, {packet, static_cast<std::size_t>(got)}, sender);
  return true;
}

void Control::deliver(unsigned rank, std::string_view packet, pid_t pid) {
  Header header;
  if (packet.size() < sizeof header)
    return listener_.on_protocol_error(rank, "sent a packet of " + std::to_string(packet.size()) + " bytes");
  std::memcpy(&header, packet.data(), sizeof header);
  packet.remove_prefix(sizeof header);
  take(rank, header, packet.data(), packet.size(), pid);
}

void Control::take(unsigned rank, const Header& header, const char* payload, std::size_t bytes, pid_t pid) {
  Peer& peer = peers_[rank];
  switch (header.type) {
    case Type::kHello:
      return join(rank, header, pid);
    case Type::kGather:
    case Type::kBarrier:
    case Type::kFinalize:
      return contribute(rank, header, payload, bytes);
    case Type::kExit:
    case Type::kAbort:
      peer.ending = true;
      return listener_.on_exit_request(rank, header.value, header.type == Type::kAbort);
    case Type::kLeave:
      peer.ending = true;
      return listener_.on_leave(rank, header.value, header.total);
    case Type::kRemoveAtEnd:
      if (temporary_files_.note({payload, bytes}, header.value != 0)) return;
      return listener_.on_protocol_error(rank,
                                         "names a temporary file in a way that upcrun does not understand");
  }
  listener_.on_protocol_error(
      rank, "sent a packet of unknown type " + std::to_string(static_cast<unsigned>(header.type)));
}

void Control::join(unsigned rank, const Header& hello, pid_t pid) {
  Peer& peer = peers_[rank];
  const int version = hello.value;
  if (version != static_cast<int>(upcr::wire::kVersion))
    return listener_.on_protocol_error(
        rank, "speaks version " + std::to_string(version) + " of the protocol, upcrun " +
                  std::to_string(upcr::wire::kVersion) + "; use the upcrun of the library's installation");
  // A script may run one program after the other; each joins anew.
  if (peer.joined && !peer.finalized) return listener_.on_protocol_error(rank, "joined twice");
  if (joined_count_ == 0) client_ = static_cast<upcr::wire::Client>(hello.total);
  if (!peer.joined) ++joined_count_;
  peer.joined = true;
  peer.finalized = false;
  listener_.on_joined(rank, pid);
}

void Control::contribute(unsigned rank, const Header& header, const char* payload, std::size_t bytes) {
  Peer& peer = peers_[rank];
  if (!peer.joined || peer.waiting) return listener_.on_protocol_error(rank, "speaks out of turn");
  if (peer.contributed == 0 && started_++ == 0) {
    if (header.total > kMostBytes || header.total * peers_.size() > kMostBytes)
      return listener_.on_protocol_error(rank,
                                         "wants to exchange " + std::to_string(header.total) + " bytes");
    type_ = header.type;
    bytes_each_ = header.total;
    gathered_.assign(bytes_each_ * peers_.size(), '\0');
  }
  if (header.type != type_ || header.total != bytes_each_ || peer.contributed + bytes > bytes_each_)
    return listener_.on_protocol_error(rank,
                                       "takes part in another collective than the others; do all processes "
                                       "run the same program?");
  std::memcpy(gathered_.data() + bytes_each_ * rank + peer.contributed, payload, bytes);
  peer.contributed += bytes;
  if (peer.contributed < bytes_each_) return;
  peer.waiting = true;
  if (++arrived_ == peers_.size()) complete();
}

void Control::complete() {
  const auto payload = std::make_shared<const std::string>(std::move(gathered_));
  gathered_.clear();
  arrived_ = started_ = 0;
  for (unsigned rank = 0; rank < peers_.size(); ++rank) {
    Peer& peer = peers_[rank];
    peer.waiting = false;
    peer.contributed = 0;
    ++peer.collectives;
    if (type_ == Type::kFinalize) peer.finalized = true;
    peer.queue.push_back({{type_, 0, payload->size()}, payload});
  }
  for (unsigned rank = 0; rank < peers_.size(); ++rank) flush(rank);
}

void Control::broadcast_exit(int status) {
  for (unsigned rank = 0; rank < peers_.size(); ++rank) {
    Peer& peer = peers_[rank];
    if (!peer.joined || peer.ending) continue;
    peer.ending = true;
    // Ahead of answers that still wait: packets are whole, and nobody needs the answers any more.
    peer.queue.clear();
    peer.queue.push_back({{Type::kExit, status, 0}, nullptr});
    flush(rank);
  }
}

bool Control::send(Peer& peer, const Packet& packet, std::size_t chunk) {
  const char* bytes = chunk != 0 ? packet.payload->data() + packet.sent : nullptr;
  if (peer.link != nullptr) {
    if (peer.link->unsent() > kMaxUnsent) return false;
    peer.link->send(MessageType::kPacket, 0,
                    {reinterpret_cast<const char*>(&packet.header), sizeof packet.header}, {bytes, chunk},
                    peer.number);
    return true;
  }
  iovec parts[2] = {{const_cast<Header*>(&packet.header), sizeof packet.header}, {}};
  if (chunk != 0) parts[1] = {const_cast<char*>(bytes), chunk};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = chunk != 0 ? 2 : 1;
  ssize_t sent;
  do sent = ::sendmsg(peer.socket.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  if (sent >= 0) return true;
  // EAGAIN: poll calls again. Otherwise the process is gone, which receive() finds out.
  if (errno != EAGAIN) peer.queue.clear();
  return false;
}

void Control::flush(unsigned rank) {
  Peer& peer = peers_[rank];
  while ((peer.socket || peer.link != nullptr) && !peer.queue.empty()) {
    Packet& packet = peer.queue.front();
    const std::size_t rest = packet.payload ? packet.payload->size() - packet.sent : 0;
    const std::size_t chunk = std::min(rest, upcr::wire::kChunk);
    if (!send(peer, packet, chunk)) return;
    packet.sent += chunk;
    if (!packet.payload || packet.sent == packet.payload->size()) peer.queue.pop_front();
  }
}

std::string Control::state(unsigned rank) const {
  const Peer& peer = peers_[rank];
  if (!peer.joined) return "has not joined the job";
  if (peer.finalized) return "has reached the end of the job";
  if (!peer.waiting) return "is running";
  if (type_ == Type::kFinalize) return "waits for the others at the end of the job";
  return "waits for the others in start-up step " + std::to_string(peer.collectives + 1);
}

}  // namespace upcrun
