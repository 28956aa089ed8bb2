// SPDX-License-Identifier: BSD-3-Clause
// Attempts to connect by datagrams, and the connections that they become: which datagram follows which event.
// Pure: the host sends datagrams and connects queue pairs, and time is passed in.
//
//   active    request() -> kRequested --kReply--> connected --> kReady, established()
//   passive   requested(), accept() -> connected, kReplied --kReady--> established()
//   either    kEstablished --release()--> kClosing --kDisconnected--> forgotten
//
// XRC: several connections share a queue pair, and one of them gets it connected. A reply or kReady that
// leaves this end without is of no effect, until a repeated one finds the queue pair connected. The passive
// side sends the first packet, so kReady follows established() at the active one.
//
// What has no answer is sent again, after kFirstWait and twice as long each time, up to kLongestWait. A
// request fails after kMaxRequests; a reply is repeated until the service thread gives up; the end of a
// connection is taken as known after kMaxDisconnects. So the first packet of the active side may arrive
// before kReady does.
//
// Repeated datagrams: each is either answered as before, or of no effect, since the state has passed it. Late
// ones: a request whose number is lower than that of the last one of its sender is ignored; other datagrams
// name an attempt that is known no more, and kReject or kDisconnect tells the sender, who may still know it.
//
// Threads: the service thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conduits/net/ibv/connector/connector.hpp"
#include "conduits/net/ibv/connector/queue_pair_end.hpp"
#include "conduits/net/ibv/datagrams/datagram.hpp"

namespace upcr::ibv {

class DatagramHost {
 public:
  // May get lost. Ports: index into those of this process, and of the peer. False: there is no room for it
  // now.
  virtual bool send(unsigned port, Rank peer, unsigned remote_port, const Datagram& datagram) = 0;
  // Makes the link's queue pair ready to send and to receive. Returns an empty text, or what has gone wrong.
  // With XRC it may be called again when `remote` has changed, and tells more of this end in `own`.
  virtual std::string connect_queue_pair(ConnectLink& link, unsigned remote_port, QueuePairEnd* own,
                                         const QueuePairEnd& remote) = 0;
  // XRC: can the link's queue pair send by now? Updates what is to be told of it.
  virtual bool can_send(ConnectLink& link, QueuePairEnd* own) { return true; }

 protected:
  ~DatagramHost() = default;
};

class DatagramAttempts {
 public:
  static constexpr Millis kFirstWait = 20, kLongestWait = 1'000;
  static constexpr Millis kWaitForRoom = 1;  // of what could not be sent
  static constexpr unsigned kMaxRequests = 12, kMaxDisconnects = 8;

  // `self`: secret and rank of this process. `first_number`: of its first attempt.
  DatagramAttempts(const Hello& self, Rank size, std::uint32_t first_number, DatagramHost& host,
                   ConnectorEvents& events)
      : self_(self), size_(size), next_number_(first_number), host_(host), events_(events) {}

  // As Connector's functions of these names.
  void start(ConnectLink& link, PortPair ports);
  void request(ConnectLink& link, const Hello& hello, const QueuePairEnd& own, Millis now);
  std::string accept(ConnectLink& link, const PeerRequest& request, const Hello& hello,
                     const QueuePairEnd& own, Millis now);
  void reject(const PeerRequest& request, RejectReason why);
  void disconnect(ConnectLink& link, Millis now);
  void release(ConnectLink& link, Millis now);

  // A datagram has arrived on this port. `from`: its sender's address, for messages.
  void received(const void* data, std::size_t bytes, unsigned port, const std::string& from, Millis now);
  // Reports attempts that were started, and sends again what is due.
  void tick(Millis now);
  Millis due() const noexcept;
  // How many attempts, connections and ends of connections are known.
  std::size_t count() const noexcept { return attempts_.size(); }

 private:
  enum class State : std::uint8_t {
    kStarted,
    kRequested,  // active: waits for the reply
    kAsked,      // passive: the service thread decides
    kReplied,    // passive: waits for kReady
    kEstablished,
    kDisconnecting,  // waits for kDisconnected
    kClosing,        // the same; there is no link any more
    kOver,           // nothing is to be sent
  };
  struct Attempt {
    Rank peer = 0;
    bool active = false;  // this side has begun it
    State state = State::kStarted;
    std::uint32_t number = 0;
    unsigned port = 0, remote_port = 0;
    ConnectLink* link = nullptr;
    Hello hello;
    QueuePairEnd own, remote;
    unsigned sent = 0;  // how often the last datagram was sent
    Millis due = kNever;
  };
  using Key = std::pair<std::uint64_t, std::uint32_t>;
  struct Hash {
    std::size_t operator()(const Key& key) const noexcept {
      return std::hash<std::uint64_t>()(key.first * 0x9e3779b97f4a7c15U ^ key.second);
    }
  };

  static Key key_of(Rank peer, bool active, std::uint32_t number) noexcept {
    return {std::uint64_t{peer} << 1 | (active ? 1U : 0U), number};
  }
  static Attempt& attempt_of(const ConnectLink& link) { return *static_cast<Attempt*>(link.attempt); }
  Attempt* find(const Datagram& datagram);
  Attempt& add(Rank peer, bool active, std::uint32_t number, unsigned port, unsigned remote_port);
  void forget(Attempt& attempt);
  void set_due(Attempt& attempt, Millis due);
  void enter(Attempt& attempt, State state);  // a new state, in which nothing was sent yet
  bool send(Attempt& attempt, DatagramKind kind, RejectReason why = RejectReason::kUnknown);
  void send_and_wait(Attempt& attempt, DatagramKind kind, Millis now);
  // XRC: a datagram of the peer tells more than an earlier one. False: something has gone wrong, and the
  // attempt has failed if it `may_fail`. It may not where one end takes the connection for made: then replies
  // are repeated, and with them this.
  bool update(Attempt& attempt, const QueuePairEnd& remote, bool may_fail);
  void repeat_for_host(const HostConnection* host);
  void answer_unknown(const Datagram& datagram, unsigned port, DatagramKind kind);
  void fail(Attempt& attempt, const ConnectFailure& failure);
  void end(Attempt& attempt);
  void repeat(Attempt& attempt, Millis now);

  void on_request(const Datagram& datagram, unsigned port, const std::string& from);
  void on_reply(const Datagram& datagram, unsigned port);
  void on_shared_reply(Attempt& attempt, const Datagram& datagram);
  void on_ready(const Datagram& datagram, unsigned port);
  void on_reject(const Datagram& datagram);
  void on_disconnect(const Datagram& datagram, unsigned port);
  void on_disconnected(const Datagram& datagram);

  Hello self_;
  Rank size_;
  std::uint32_t next_number_;
  DatagramHost& host_;
  ConnectorEvents& events_;
  Millis now_ = 0;
  std::unordered_map<Key, std::unique_ptr<Attempt>, Hash> attempts_;
  std::set<std::pair<Millis, Attempt*>> timed_;
  std::vector<Attempt*> started_;
  // The number of the last one of each peer, and of each of its rails.
  std::unordered_map<std::uint64_t, std::uint32_t> last_requests_;
};

}  // namespace upcr::ibv
