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

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 32;  // of one process in one collective
constexpr std::size_t kMaxUnsent = 256 * 1024;               // queued on a link, beside one packet

}  // namespace

void Control::receive(unsigned rank) {
  while (members_[rank].socket && receive_one(rank)) {
  }
}

// Returns false when no more packets have arrived.
bool Control::receive_one(unsigned rank) {
  static char packet[kMaxPacketBytes];
  pid_t sender = 0;
  const ssize_t got = receive_packet(members_[rank].socket.get(), packet, sizeof packet, &sender);
  if (got < 0 && errno == EINTR) return true;
  if (got < 0 && errno == EAGAIN) return false;
  if (got <= 0) {
    members_[rank].socket.reset();
    members_[rank].queue.clear();
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
  handle(rank, header, packet.data(), packet.size(), pid);
}

void Control::handle(unsigned rank, const Header& header, const char* payload, std::size_t bytes, pid_t pid) {
  Member& member = members_[rank];
  switch (header.type) {
    case Type::kHello:
      return join(rank, header, pid);
    case Type::kGather:
    case Type::kBarrier:
    case Type::kFinalize:
      return contribute(rank, header, payload, bytes);
    case Type::kExit:
    case Type::kAbort:
      member.leaving = true;
      return listener_.on_exit_request(rank, header.value, header.type == Type::kAbort);
    case Type::kLeave:
      member.leaving = true;
      return listener_.on_leave(rank, header.value, header.total);
    case Type::kPeerLost:
      if (static_cast<std::size_t>(header.value) < members_.size())
        return listener_.on_peer_lost(rank, static_cast<unsigned>(header.value));
      return listener_.on_protocol_error(rank, "asks about rank " + std::to_string(header.value));
    case Type::kReporting:
      return listener_.on_reporting(rank);
    case Type::kWaits:
      return wait_reports_->on_answer(rank, header.value, header.total, {payload, bytes});
    case Type::kStalled:
      return wait_reports_->on_stalled(header.value);
    case Type::kRemoveAtEnd:
      if (temporary_files_.note({payload, bytes}, header.value != 0)) return;
      return listener_.on_protocol_error(
          rank, "has sent the name of a temporary file in a form that upcrun does not understand");
  }
  listener_.on_protocol_error(
      rank, "sent a packet of unknown type " + std::to_string(static_cast<unsigned>(header.type)));
}

void Control::join(unsigned rank, const Header& hello, pid_t pid) {
  Member& member = members_[rank];
  const int version = hello.value;
  if (version != static_cast<int>(upcr::wire::kVersion))
    return listener_.on_protocol_error(
        rank, "uses version " + std::to_string(version) + " of the protocol, upcrun uses " +
                  std::to_string(upcr::wire::kVersion) + "; use the upcrun of the library's installation");
  // A script may run one program after the other; each of them joins.
  if (member.joined && !member.finalized) return listener_.on_protocol_error(rank, "joined twice");
  if (joined_count_ == 0) client_ = static_cast<upcr::wire::Client>(hello.total);
  if (!member.joined) ++joined_count_;
  member.joined = true;
  member.finalized = false;
  listener_.on_joined(rank, pid);
}

void Control::contribute(unsigned rank, const Header& header, const char* payload, std::size_t bytes) {
  Member& member = members_[rank];
  if (!member.joined || member.waiting)
    return listener_.on_protocol_error(rank, "has started a collective before the last one was over");
  if (member.contributed == 0 && started_++ == 0) {
    if (header.total > kMaxBytes || header.total * members_.size() > kMaxBytes)
      return listener_.on_protocol_error(rank,
                                         "wants to exchange " + std::to_string(header.total) + " bytes");
    type_ = header.type;
    bytes_each_ = header.total;
    gathered_.assign(bytes_each_ * members_.size(), '\0');
  }
  if (header.type != type_ || header.total != bytes_each_ || member.contributed + bytes > bytes_each_)
    return listener_.on_protocol_error(rank,
                                       "takes part in another collective than the others; do all processes "
                                       "run the same program?");
  std::memcpy(gathered_.data() + bytes_each_ * rank + member.contributed, payload, bytes);
  member.contributed += bytes;
  if (member.contributed < bytes_each_) return;
  member.waiting = true;
  if (++arrived_ == members_.size()) complete();
}

void Control::complete() {
  const auto payload = std::make_shared<const std::string>(std::move(gathered_));
  gathered_.clear();
  arrived_ = started_ = 0;
  for (unsigned rank = 0; rank < members_.size(); ++rank) {
    Member& member = members_[rank];
    member.waiting = false;
    member.contributed = 0;
    ++member.collectives;
    if (type_ == Type::kFinalize) member.finalized = true;
    member.queue.push_back({{type_, 0, payload->size()}, payload});
  }
  for (unsigned rank = 0; rank < members_.size(); ++rank) flush(rank);
}

void Control::broadcast_exit(int status) {
  for (unsigned rank = 0; rank < members_.size(); ++rank) {
    Member& member = members_[rank];
    if (!member.joined || member.leaving) continue;
    member.leaving = true;
    // Replaces packets that are still queued: they were to be sent whole, and are of no use any more.
    member.queue.clear();
    member.queue.push_back({{Type::kExit, status, 0}, nullptr});
    flush(rank);
  }
}

bool Control::ask(unsigned rank, int question) {
  Member& member = members_[rank];
  if (!member.joined || member.finalized || member.leaving || (!member.socket && member.link == nullptr))
    return false;
  member.queue.push_back({{Type::kWaits, question, 0}, nullptr});
  flush(rank);
  return true;
}

void Control::send_alive(unsigned rank, unsigned peer) {
  members_[rank].queue.push_back({{Type::kPeerLost, static_cast<std::int32_t>(peer), 0}, nullptr});
  flush(rank);
}

bool Control::send(Member& member, const Packet& packet, std::size_t chunk) {
  const char* bytes = chunk != 0 ? packet.payload->data() + packet.sent : nullptr;
  if (member.link != nullptr) {
    if (member.link->unsent() > kMaxUnsent) return false;
    member.link->send(MessageType::kPacket, 0,
                      {reinterpret_cast<const char*>(&packet.header), sizeof packet.header}, {bytes, chunk},
                      member.number);
    return true;
  }
  iovec parts[2] = {{const_cast<Header*>(&packet.header), sizeof packet.header}, {}};
  if (chunk != 0) parts[1] = {const_cast<char*>(bytes), chunk};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = chunk != 0 ? 2 : 1;
  ssize_t sent;
  do sent = ::sendmsg(member.socket.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  if (sent >= 0) return true;
  // After EAGAIN the poll loop calls again. After other errors the process is gone, which receive() will see.
  if (errno != EAGAIN) member.queue.clear();
  return false;
}

void Control::flush(unsigned rank) {
  Member& member = members_[rank];
  while ((member.socket || member.link != nullptr) && !member.queue.empty()) {
    Packet& packet = member.queue.front();
    const std::size_t rest = packet.payload ? packet.payload->size() - packet.sent : 0;
    const std::size_t chunk = std::min(rest, upcr::wire::kChunk);
    if (!send(member, packet, chunk)) return;
    packet.sent += chunk;
    if (!packet.payload || packet.sent == packet.payload->size()) member.queue.pop_front();
  }
}

std::string Control::state(unsigned rank) const {
  const Member& member = members_[rank];
  if (!member.joined) return "has not joined the job";
  if (member.finalized) return "has reached the end of the job";
  if (!member.waiting) return "is running";
  if (type_ == Type::kFinalize) return "waits for the others at the end of the job";
  return "waits for the others in start-up step " + std::to_string(member.collectives + 1);
}

}  // namespace upcrun
