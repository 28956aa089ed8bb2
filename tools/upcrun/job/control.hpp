// SPDX-License-Identifier: BSD-3-Clause
// upcrun's side of the control protocol (wire.hpp): which processes have joined, the bootstrap's collectives,
// and the packets that end the job. Packets travel on a socket to a child, or over the link to the agent of a
// process elsewhere, which collects the contributions of its processes and gets one reply for all of them.
// Never blocks: packets that a process does not yet read are queued.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conduits/core/bootstrap/upcrun/wire.hpp"
#include "tools/upcrun/base/temporary_files.hpp"
#include "tools/upcrun/base/unique_fd.hpp"
#include "tools/upcrun/exchange/collection.hpp"
#include "tools/upcrun/exchange/packet_queue.hpp"
#include "tools/upcrun/protocol/link.hpp"
#include "tools/upcrun/waits/wait_reports.hpp"

namespace upcrun {

// Events for the job, called from Control::receive(), deliver() and flush().
class ControlListener {
 public:
  virtual void on_joined(unsigned rank, pid_t pid) = 0;
  // The process ends the job and gives the others `grace` ms to exit by themselves.
  virtual void on_leave(unsigned rank, int status, std::uint64_t grace) = 0;
  // The process wants the job to end. `aborted`: it has printed an error already.
  virtual void on_exit_request(unsigned rank, int status, bool aborted) = 0;
  // The process cannot communicate with the one of rank `peer`, which may have died.
  virtual void on_peer_lost(unsigned rank, unsigned peer) = 0;
  // The process reports an error while the job ends; its status and its message are to come.
  virtual void on_reporting(unsigned rank) = 0;
  // The process has reported the signal, and dies of it.
  virtual void on_crashed(unsigned rank, int signal) = 0;
  // The process has violated the protocol: "process ... `what`".
  virtual void on_protocol_error(unsigned rank, const std::string& what) = 0;
  // The socket is closed: the process has ended or is about to.
  virtual void on_closed(unsigned rank) = 0;

 protected:
  ~ControlListener() = default;
};

class Control {
 public:
  Control(unsigned processes, ControlListener& listener)
      : members_(processes), collection_(0, processes, processes), listener_(listener) {}

  void add(unsigned rank, UniqueFd socket) { members_[rank].socket = std::move(socket); }
  // From now on, packets to the process go over this link, where it has this number, and packets from it come
  // through deliver(). null: the link is closed.
  void add(unsigned rank, Link* link, unsigned number = 0) {
    members_[rank].link = link;
    members_[rank].number = number;
  }
  // Processes all packets that have arrived on a child's socket.
  void receive(unsigned rank);
  // Processes one packet that the agent of a process has forwarded.
  void deliver(unsigned rank, std::string_view packet, pid_t pid);
  // The contributions of processes with one agent, `count` from `rank` on: a wire::Header and bytes.
  void deliver_contribution(unsigned rank, unsigned count, std::string_view content);
  // Its agent says that the process waits for others in a collective of this type.
  void note_arrived(unsigned rank, upcr::wire::Type type) { members_[rank].arrived = type; }
  // Sends as much of the process's queue as possible.
  void flush(unsigned rank);
  // Tells every process that has joined that the job ends, except processes that have asked for it.
  void broadcast_exit(int status);

  // Where answers to ask() go, and what processes say of threads that wait for long. It outlives this object.
  void set_wait_reports(WaitReports& reports) noexcept { wait_reports_ = &reports; }
  // Asks the process what its UPC threads do; false: it is not in the job.
  bool ask(unsigned rank, int question);

  // Tells the process that the one of rank `peer` is alive.
  void send_alive(unsigned rank, unsigned peer);

  // The files of this host's processes that must be removed at the end.
  TemporaryFiles& temporary_files() noexcept { return temporary_files_; }

  int fd(unsigned rank) const noexcept { return members_[rank].socket.get(); }
  bool has_output(unsigned rank) const noexcept { return !members_[rank].queue.empty(); }
  bool joined(unsigned rank) const noexcept { return members_[rank].joined; }
  bool finalized(unsigned rank) const noexcept { return members_[rank].finalized; }
  unsigned joined_count() const noexcept { return joined_count_; }
  upcr::wire::Client client() const noexcept { return client_; }  // of the first process that joined
  // What the process does at the moment, for the message of --timeout: "is running".
  std::string state(unsigned rank) const;

 private:
  struct Member {
    UniqueFd socket;
    Link* link = nullptr;
    unsigned number = 0;
    bool joined = false, finalized = false, leaving = false;
    upcr::wire::Type arrived{};  // in which collective, as its agent says, whose contribution is not complete
    std::uint64_t collectives = 0;
    PacketQueue queue;
  };

  bool receive_one(unsigned rank);
  void send(Member& member, const upcr::wire::Header& header);
  void handle(unsigned rank, const upcr::wire::Header& header, const char* payload, std::size_t bytes,
              pid_t pid);
  void join(unsigned rank, const upcr::wire::Header& hello, pid_t pid);
  void contribute(unsigned rank, const upcr::wire::Header& header, std::string_view chunk);
  void complete();

  std::vector<Member> members_;
  Collection collection_;  // of the collective in progress, the same for all processes
  TemporaryFiles temporary_files_;
  ControlListener& listener_;
  WaitReports* wait_reports_ = nullptr;
  unsigned joined_count_ = 0;
  upcr::wire::Client client_ = upcr::wire::Client::kUpc;
};

}  // namespace upcrun
