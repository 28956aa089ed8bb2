// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/job/control.hpp"

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "tools/upcrun/base/packet_socket.hpp"

namespace upcrun {

using upcr::wire::Header;
using upcr::wire::Type;

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
    case Type::kBroadcast:
    case Type::kBarrier:
    case Type::kFinalize:
      return contribute(rank, header, {payload, bytes});
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
    case Type::kCrashed:
      return listener_.on_crashed(rank, header.value);
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

void Control::contribute(unsigned rank, const Header& header, std::string_view chunk) {
  if (!members_[rank].joined)
    return listener_.on_protocol_error(rank, "takes part in a collective before it has joined the job");
  if (const std::string wrong = collection_.add(rank, header, chunk); !wrong.empty())
    return listener_.on_protocol_error(rank, wrong);
  if (collection_.complete()) complete();
}

void Control::deliver_contribution(unsigned rank, unsigned count, std::string_view content) {
  Header header;
  if (content.size() < sizeof header || rank >= members_.size() || count > members_.size() - rank)
    return listener_.on_protocol_error(rank, "has an agent that has sent a malformed contribution");
  std::memcpy(&header, content.data(), sizeof header);
  content.remove_prefix(sizeof header);
  for (unsigned i = rank; i < rank + count; ++i)
    if (!members_[i].joined)
      return listener_.on_protocol_error(i, "takes part in a collective before it has joined the job");
  if (const std::string wrong = collection_.add_range(rank, count, header, content); !wrong.empty())
    return listener_.on_protocol_error(rank, wrong);
  if (collection_.complete()) complete();
}

void Control::complete() {
  Contribution all = collection_.take();
  const Type type = all.header.type;
  const auto bytes = std::make_shared<const std::string>(std::move(all.bytes));
  const Header header{type, upcr::wire::kInPackets, bytes->size()};
  for (Member& member : members_) {
    member.arrived = {};
    ++member.collectives;
    if (type == Type::kFinalize) member.finalized = true;
  }
  Reply reply;  // of this host's processes
  for (unsigned rank = 0; rank < members_.size(); ++rank) {
    Member& member = members_[rank];
    if (member.link != nullptr) {  // the first process of each link stands for all
      if (member.number == 0)
        member.link->send_shared(MessageType::kReply, 0,
                                 {reinterpret_cast<const char*>(&header), sizeof header}, bytes);
      continue;
    }
    if (!member.socket) continue;
    if (reply.header.type != type) reply = Reply::make(type, *bytes);
    member.queue.push(reply);
    flush(rank);
  }
}

void Control::broadcast_exit(int status) {
  for (unsigned rank = 0; rank < members_.size(); ++rank) {
    Member& member = members_[rank];
    if (!member.joined || member.leaving) continue;
    member.leaving = true;
    // Replaces packets that are still queued: they were to be sent whole, and are of no use any more.
    member.queue.clear();
    send(member, {Type::kExit, status, 0});
  }
}

bool Control::ask(unsigned rank, int question) {
  Member& member = members_[rank];
  if (!member.joined || member.finalized || member.leaving || (!member.socket && member.link == nullptr))
    return false;
  send(member, {Type::kWaits, question, 0});
  return true;
}

void Control::send_alive(unsigned rank, unsigned peer) {
  send(members_[rank], {Type::kPeerLost, static_cast<std::int32_t>(peer), 0});
}

void Control::send(Member& member, const Header& header) {
  if (member.link != nullptr)
    return member.link->send(MessageType::kPacket, 0, {reinterpret_cast<const char*>(&header), sizeof header},
                             {}, member.number);
  if (!member.socket) return;
  member.queue.push(header);
  member.queue.flush(member.socket.get());
}

void Control::flush(unsigned rank) { members_[rank].queue.flush(members_[rank].socket.get()); }

std::string Control::state(unsigned rank) const {
  const Member& member = members_[rank];
  if (!member.joined) return "has not joined the job";
  if (member.finalized) return "has reached the end of the job";
  const Type type = collection_.arrived(rank) ? collection_.type() : member.arrived;
  if (type == Type{}) return "is running";
  if (type == Type::kFinalize) return "waits for the others at the end of the job";
  return "waits for the others in start-up step " + std::to_string(member.collectives + 1);
}

}  // namespace upcrun
