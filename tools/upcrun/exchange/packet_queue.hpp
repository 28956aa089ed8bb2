// SPDX-License-Identifier: BSD-3-Clause
// Packets on their way to a process, on the socket that it has inherited from upcrun or an agent. Never
// blocks: what the process does not yet read waits here.
#pragma once
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "conduits/core/bootstrap/upcrun/wire.hpp"
#include "tools/upcrun/base/unique_fd.hpp"

namespace upcrun {

// The launcher's part of a collective, for the processes of one host: large ones in a file that all of them
// map (wire::kInFile), or, where that cannot be made, and small ones in packets.
struct Reply {
  upcr::wire::Header header{};
  std::shared_ptr<const std::string> bytes;  // null: in the file, or there are none
  std::shared_ptr<const UniqueFd> file;

  static Reply make(upcr::wire::Type type, std::string_view bytes);
};

class PacketQueue {
 public:
  bool empty() const noexcept { return packets_.empty(); }
  void clear() noexcept { packets_.clear(); }
  // A packet that is a header alone.
  void push(const upcr::wire::Header& header) { packets_.push_back({{header, nullptr, nullptr}}); }
  // A packet as it is.
  void push(std::string_view packet);
  void push(Reply reply) { packets_.push_back({std::move(reply)}); }
  // Sends as much as possible. After an error other than that the socket is full the process is gone, and
  // nothing is kept.
  void flush(int socket);

 private:
  struct Packet {
    Reply content;
    std::size_t sent = 0;
  };
  std::deque<Packet> packets_;
};

}  // namespace upcrun
