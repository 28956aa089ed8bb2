// SPDX-License-Identifier: BSD-3-Clause
// Messages about the job's end between its processes, for jobs that upcrun has not started: datagrams, over
// abstract sockets to processes of this host and over UDP to others. The launchers' own means do not suffice:
// PMIx events that leave a host block the server of Open MPI's mpirun, and PMI has none.
// A datagram to another host may get lost, so a sender that needs a reply repeats it. Datagrams of other
// programs are ignored: near ones carry the sender's user id, far ones must contain the job's secret.
// Used by TerminationMonitor only.
#pragma once
#include <netinet/in.h>

#include <cstdint>
#include <string>
#include <vector>

#include "conduits/core/bootstrap/bootstrap.hpp"

namespace upcr {

enum class MessageType : std::int32_t {
  kEnd = 1,     // the job ends with `status`
  kEndAck,      // the reply, when the process has written its output
  kLeaving,     // to rank 0: this process leaves the job in order
  kAllLeft,     // from rank 0: all processes do
  kAllLeftAck,  // the reply
};

class TerminationChannel {
 public:
  struct Datagram {
    std::uint32_t magic;
    MessageType type;
    std::int32_t status;
    Rank from;
    std::uint64_t secret;
  };
  struct Sender {
    sockaddr_storage address;
    socklen_t length;
  };
  struct Sockets {
    int near = -1, far = -1;  // far: -1 where there is no network
  };

  // Collective, in `bootstrap`'s constructor.
  explicit TerminationChannel(Bootstrap& bootstrap);

  const Sockets& own() const noexcept { return own_; }
  // Sockets of a sender, for its datagrams and their replies. Async-signal-safe, as are the functions below.
  Sockets open() const;
  static void close(const Sockets& sockets);

  bool is_near(Rank rank) const { return near_[rank]; }
  // False: it does not arrive. True: it may.
  bool send(const Sockets& from, Rank to, MessageType type, int status) const;
  // Receives a datagram; false where there is none, or none of this job.
  bool receive(int fd, Datagram* datagram, Sender* sender) const;
  void reply(int fd, const Sender& sender, MessageType type, int status) const;

 private:
  static constexpr unsigned kMaxAddresses = 6;
  struct Address {  // of one process, on the network
    std::uint64_t secret;
    std::uint16_t port;  // 0: none
    std::uint16_t count;
    in6_addr at[kMaxAddresses];  // of IPv4 too
  };
  Address my_address() const;
  void find_neighbours();
  bool send_near(int fd, Rank to, const Datagram& datagram) const;
  bool send_far(int fd, Rank to, const Datagram& datagram) const;
  Datagram datagram(MessageType type, int status) const;

  const std::string name_;  // of the job's abstract sockets, without the rank
  const Rank rank_, size_;
  Sockets own_;
  std::vector<Address> addresses_;  // by rank
  std::vector<bool> near_;          // likewise: of this host

 public:
  // Memory for each process, beside the bit.
  static constexpr std::size_t kBytesPerPeer = sizeof(Address);
};

}  // namespace upcr
