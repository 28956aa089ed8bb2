// SPDX-License-Identifier: BSD-3-Clause
// upcrun's side of the control protocol (wire.hpp): which processes have joined, the bootstrap's collectives,
// and the packets that end the job. Packets travel on a socket to a child, or over the link to the agent of a
// process elsewhere. Never blocks: packets that a process does not yet read are queued.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conduits/core/bootstrap/upcrun/wire.hpp"
#include "tools/upcrun/base/temporary_files.hpp"
#include "tools/upcrun/base/unique_fd.hpp"
#include "tools/upcrun/protocol/link.hpp"

namespace upcrun {

// Events for the job, called from Control::receive(), deliver() and flush().
class ControlListener {
 public:
  virtual void on_joined(unsigned rank, pid_t pid) = 0;
  // The process ends the job and gives the others `grace` ms to exit by themselves.
  virtual void on_leave(unsigned rank, int status, std::uint64_t grace) = 0;
  // The process wants the job to end. `aborted`: it has printed an error already.
  virtual void on_exit_request(unsigned rank, int status, bool aborted) = 0;
  // The process broke the rules of the protocol.
  virtual void on_protocol_error(unsigned rank, const std::string& what) = 0;
  // The socket is closed: the process has ended or is about to.
  virtual void on_closed(unsigned rank) = 0;

 protected:
  ~ControlListener() = default;
};

class Control {
 public:
  Control(unsigned processes, ControlListener& listener) : peers_(processes), listener_(listener) {}

  void add(unsigned rank, UniqueFd socket) { peers_[rank].socket = std::move(socket); }
  // The process's packets go by this link, on which it has this number, and come in through deliver(); null:
  // no more.
  void add(unsigned rank, Link* link, unsigned number = 0) {
    peers_[rank].link = link;
    peers_[rank].number = number;
  }
  // Processes all packets that have arrived on a child's socket.
  void receive(unsigned rank);
  // Processes one packet that the agent of a process has forwarded.
  void deliver(unsigned rank, std::string_view packet, pid_t pid);
  // Sends as much of the process's queue as possible.
  void flush(unsigned rank);
  // Tells every process that has joined that the job ends, except processes that have asked for it.
  void broadcast_exit(int status);

  // What the processes of this host have left to be removed.
  TemporaryFiles& temporary_files() noexcept { return temporary_files_; }

  int fd(unsigned rank) const noexcept { return peers_[rank].socket.get(); }
  bool has_output(unsigned rank) const noexcept { return !peers_[rank].queue.empty(); }
  bool joined(unsigned rank) const noexcept { return peers_[rank].joined; }
  bool finalized(unsigned rank) const noexcept { return peers_[rank].finalized; }
  unsigned joined_count() const noexcept { return joined_count_; }
  upcr::wire::Client client() const noexcept { return client_; }  // of the first process that joined
  // What the process does at the moment, for the message of --timeout: "is running".
  std::string state(unsigned rank) const;

 private:
  struct Packet {
    upcr::wire::Header header;
    std::shared_ptr<const std::string> payload;  // may be null; shared by all receivers
    std::size_t sent = 0;
  };
  struct Peer {
    UniqueFd socket;
    Link* link = nullptr;
    unsigned number = 0;
    bool joined = false, finalized = false, ending = false;
    bool waiting = false;         // in the current collective, complete from its side
    std::size_t contributed = 0;  // bytes of it that have arrived
    std::uint64_t collectives = 0;
    std::deque<Packet> queue;
  };

  bool receive_one(unsigned rank);
  // False: not now, or never.
  bool send(Peer& peer, const Packet& packet, std::size_t chunk);
  void take(unsigned rank, const upcr::wire::Header& header, const char* payload, std::size_t bytes,
            pid_t pid);
  void join(unsigned rank, const upcr::wire::Header& hello, pid_t pid);
  void contribute(unsigned rank, const upcr::wire::Header& header, const char* payload, std::size_t bytes);
  void complete();

  std::vector<Peer> peers_;
  TemporaryFiles temporary_files_;
  ControlListener& listener_;
  unsigned joined_count_ = 0;
  upcr::wire::Client client_ = upcr::wire::Client::kUpc;
  // The collective in progress, the same for all processes.
  upcr::wire::Type type_{};
  std::size_t bytes_each_ = 0;
  unsigned arrived_ = 0, started_ = 0;
  std::string gathered_;
};

}  // namespace upcrun
