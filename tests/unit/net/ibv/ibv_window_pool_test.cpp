// SPDX-License-Identifier: BSD-3-Clause
// Credits that move between peers (window_pool.hpp): processes whose receive buffers are in one pool each,
// over a simulated network that keeps the order of each pair and loses nothing, with the product's credited
// channel. A packet that finds no receive buffer although the credits are covered is an error, as is a job
// that does not come to an end.
#include "conduits/net/ibv/queues/window_pool.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "conduits/core/transport/credited/channel.hpp"
#include "conduits/net/ibv/queues/link.hpp"
#include "conduits/net/ibv/queues/receives.hpp"
#include "conduits/net/ibv/queues/wire.hpp"

namespace upcr::ibv {

namespace {

class Process;

struct Bytes {
  alignas(8) char data[128];
};

class Process final : public AmSink {
 public:
  // -- the Wire
  enum class Kind : std::uint8_t {
    kRequest = 1,
    kReply,
    kUnsolicitedReply,
    kCreditUpdate,
    kShare,
    kConfirmed
  };
  using Peer = Link;
  struct Packet {
    Link* peer;
    char* data;
    Bytes* bytes;
  };
  using Header = PacketHeader<Kind>;

  Process(std::vector<std::unique_ptr<Process>>& all, Rank rank, unsigned size, unsigned most,
          unsigned capacity)
      : rank_(rank), all_(all), links_(size), incoming_(size), channel_(*this) {
    pool.open(most, capacity);
    buffers = (size - 1) * receives_for(kMinCredits) + 2 * capacity;
    channel_.open(size);
    for (Rank r = 0; r < size; ++r) {
      links_[r].rank = r;
      links_[r].flow.open(&links_[r], kMinCredits);
    }
    pool.set_capacity(capacity);
    for (Rank r = 0; r < size; ++r)
      if (r != rank) pool.join(links_[r].flow);
  }

  static bool needs_credit(Kind kind) { return kind == Kind::kRequest; }
  static unsigned credits_of(const Link&, const AmPacket&) { return 1; }
  bool has_room(const Link&, const AmPacket&) const { return true; }
  bool has_room_for_reply(const Link&) const { return replies_have_room; }
  bool has_room_for_update(const Link&) const { return true; }
  void send_message(Link& link, Kind kind, const AmPacket& p) {
    Bytes out;
    const Header header = make_header(link.flow, kind, rank_);
    std::memcpy(out.data, &header, sizeof header);
    (void)pack_message(out.data + sizeof header, p);
    put_on_wire(link, out);
  }
  void send_header(Link& link, Kind kind, std::uint32_t) {
    Bytes out;
    const Header header = make_header(link.flow, kind, rank_);
    std::memcpy(out.data, &header, sizeof header);
    put_on_wire(link, out);
  }
  Link* find(Rank rank) { return &links_[rank]; }
  Packet hold(const Packet& packet) { return packet; }
  void release(const Packet& packet) {
    --in_use;
    delete packet.bytes;
  }
  AmArrival message(const Packet& packet, Kind) {
    return unpack_message(packet.peer->rank, packet.data + sizeof(Header));
  }
  void before_acks(const Packet&, const Header&) {}
  bool can_process(const Packet&, const Header&) const { return true; }
  bool process(const Packet& packet, const Header& header) {
    if (header.kind == Kind::kShare) {
      if (!packet.peer->flow.confirm_due()) to_confirm_.push_back(packet.peer);
      const auto share = read_as<Share>(packet.data + sizeof header);
      pool.peer_share_changed(packet.peer->flow, share.credits, share.asks != 0);
    } else {
      pool.confirmed(packet.peer->flow);
    }
    return true;
  }

  // -- the program
  bool request(Rank to, bool wants_reply) {
    const std::uint32_t number = sent_to_[to];
    AmPacket p;
    p.head = {static_cast<std::uint8_t>(wants_reply ? 1 : 2), 1, 0, 0, 0};
    p.args = &number;
    if (channel_.send(links_[to], p) != Status::kOk) {
      pool.starved(links_[to].flow);
      return false;
    }
    ++sent_to_[to];
    if (wants_reply) ++replies_due;
    return true;
  }
  void poll(std::mt19937& random) {
    SpinLock none;
    auto guard = lock_if(none, false);
    accepts_ = random() % 4 != 0;
    channel_.begin_poll(*this);
    (void)channel_.process_held(~0u, guard);
    for (Rank from = 0; from < incoming_.size(); ++from)
      for (unsigned n = random() % 8; n > 0 && !incoming_[from].empty(); --n) {
        auto* bytes = new Bytes(incoming_[from].front());
        incoming_[from].pop_front();
        channel_.arrived({&links_[from], bytes->data, bytes}, guard);
      }
    channel_.send_acks();
    send_shares();
  }
  bool idle() const {
    for (const auto& queue : incoming_)
      if (!queue.empty()) return false;
    for (const Link& link : links_)
      if (!link.flow.is_settled() || link.flow.confirm_due()) return false;
    return replies_due == 0 && channel_.idle() && !pool.has_announcements();
  }

  void deliver(const AmArrival& a) override {
    if ((a.head.flags & kAmReply) != 0) {
      --replies_due;
      return;
    }
    ASSERT_TRUE(accepts_);
    ASSERT_EQ(a.args[0], taken_from[a.source]++);
    if (a.head.handler != 1) return;
    AmPacket p;
    p.head = {3, 0, kAmReply, 0, 0};
    ASSERT_EQ(channel_.send(links_[a.source], p), Status::kOk);
  }
  bool accepts_requests() const override { return accepts_; }

  Link& link(Rank peer) { return links_[peer]; }
  std::uint32_t sent_to(Rank to) const { return sent_to_[to]; }

  WindowPool pool;
  bool replies_have_room = true;
  unsigned buffers = 0, in_use = 0;
  unsigned replies_due = 0;
  std::uint32_t taken_from[64] = {};

 private:
  void send_shares() {
    pool.settle();
    while (Window* window = pool.next_announcement()) {
      Bytes out;
      const Header header = make_header(*window, Kind::kShare, rank_);
      const Share share{window->target(), window->asks()};
      std::memcpy(out.data, &header, sizeof header);
      std::memcpy(out.data + sizeof header, &share, sizeof share);
      put_on_wire(*window->link(), out);
      pool.announced(*window);
    }
    std::erase_if(to_confirm_, [this](Link* link) {
      if (!link->flow.may_confirm()) return false;
      send_header(*link, Kind::kConfirmed, 0);
      link->flow.confirm_sent();
      return true;
    });
  }
  // A receive buffer is in use from here until the packet is released.
  void put_on_wire(const Link& to, const Bytes& out) {
    Process& peer = *all_[to.rank];
    ++peer.in_use;
    if (peer.pool.is_covered()) ASSERT_LE(peer.in_use, peer.buffers) << "rank " << to.rank;
    peer.incoming_[rank_].push_back(out);
  }

  Rank rank_;
  std::vector<std::unique_ptr<Process>>& all_;
  std::vector<Link> links_;
  std::vector<std::deque<Bytes>> incoming_;
  std::vector<Link*> to_confirm_;
  std::uint32_t sent_to_[64] = {};
  bool accepts_ = true;
  CreditedChannel<Process> channel_;
};

struct Job {
  Job(Rank size, unsigned most, unsigned capacity) {
    for (Rank r = 0; r < size; ++r)
      processes.push_back(std::make_unique<Process>(processes, r, size, most, capacity));
  }
  Process& operator[](Rank r) { return *processes[r]; }
  Rank size() const { return static_cast<Rank>(processes.size()); }
  void poll(std::mt19937& random) {
    for (const auto& p : processes) p->poll(random);
  }
  void drain(std::mt19937& random) {
    for (int round = 0;; ++round) {
      ASSERT_LT(round, 10'000) << "deadlock";
      bool idle = true;
      for (const auto& p : processes) idle &= p->idle();
      if (idle || testing::Test::HasFatalFailure()) return;
      poll(random);
    }
  }
  void expect_all_arrived() {
    for (Rank a = 0; a < size(); ++a) {
      EXPECT_EQ(processes[a]->in_use, 0u);
      EXPECT_LE(processes[a]->pool.dealt(), processes[a]->pool.capacity());
      unsigned extra = 0;
      for (Rank b = 0; b < size(); ++b) {
        EXPECT_EQ(processes[a]->sent_to(b), processes[b]->taken_from[a]);
        if (a != b) {
          const Window& flow = processes[a]->link(b).flow;
          EXPECT_GE(flow.share(), kMinCredits);
          extra += flow.share() - kMinCredits;
        }
      }
      EXPECT_EQ(processes[a]->pool.dealt(), extra);
    }
  }
  void fill(Rank from, Rank to) {
    for (unsigned n = 0; n < 64 && processes[from]->request(to, n % 2 == 0); ++n) continue;
  }
  // One process and some others flood each other for so many rounds of polls.
  void flood(Rank a, const std::vector<Rank>& others, unsigned rounds, std::mt19937& random) {
    for (unsigned i = 0; i < rounds && !testing::Test::HasFatalFailure(); ++i) {
      for (const Rank b : others) {
        fill(a, b);
        fill(b, a);
      }
      poll(random);
    }
  }

  std::vector<std::unique_ptr<Process>> processes;
};

// The shares of all three are a few credits; who talks with whom changes all the time.
TEST(IbvWindowPool, EverythingArrivesWhileSharesMove) {
  for (const unsigned capacity : {0u, 1u, 7u, 30u, 200u}) {
    std::mt19937 random(capacity);
    Job job(6, 32, capacity);
    Rank from = 0, to = 1;
    for (int step = 0; step < 30'000 && !HasFatalFailure(); ++step) {
      if (random() % 64 == 0) {
        from = random() % 6;
        to = (from + 1 + random() % 5) % 6;
      }
      const Rank other = random() % 8 == 0 ? random() % 6 : to;
      job[from].replies_have_room = random() % 3 != 0;
      if (other != from)
        for (unsigned n = random() % 8; n > 0; --n) (void)job[from].request(other, random() % 2 == 0);
      job[random() % 6].poll(random);
      job[to].poll(random);
    }
    for (Rank r = 0; r < 6; ++r) job[r].replies_have_room = true;
    job.drain(random);
    job.expect_all_arrived();
  }
}

// 40 peers, and buffers for the least shares and one window more: whoever talks gets it.
TEST(IbvWindowPool, CreditsGoToThePeersThatTalk) {
  std::mt19937 random(1);
  Job job(41, 32, 30);
  for (const Rank talker : {1u, 17u, 40u, 3u}) {
    job.flood(0, {talker}, 500, random);
    ASSERT_FALSE(HasFatalFailure());
    EXPECT_EQ(job[0].link(talker).flow.limit(), 32u) << talker;
    EXPECT_EQ(job[0].link(talker).flow.share(), 32u) << talker;
    for (Rank quiet = 1; quiet < 41; ++quiet)
      if (quiet != talker) {
        EXPECT_EQ(job[0].link(quiet).flow.share(), kMinCredits) << quiet;
      }
    job.drain(random);
  }
  job.expect_all_arrived();
}

// Two that never stop share what there is within a factor of four of each other, whoever was first.
TEST(IbvWindowPool, PeersThatAllTalkShare) {
  std::mt19937 random(2);
  Job job(9, 64, 64);
  job.flood(0, {1}, 300, random);
  EXPECT_GE(job[0].link(1).flow.share(), 32u);
  job.flood(0, {1, 2, 3, 4}, 2000, random);
  unsigned least = ~0u, most = 0;
  for (Rank peer = 1; peer < 5; ++peer) {
    least = std::min(least, job[0].link(peer).flow.share());
    most = std::max(most, job[0].link(peer).flow.share());
  }
  EXPECT_LE(most, 4 * least);
  EXPECT_GE(least, 8u);
  job.drain(random);
  job.expect_all_arrived();
}

// A few connections have their whole windows from the start.
TEST(IbvWindowPool, FewConnectionsGetAllAtOnce) {
  std::mt19937 random(3);
  Job job(3, 32, 8192);
  job.drain(random);
  for (Rank a = 0; a < 3; ++a)
    for (Rank b = 0; b < 3; ++b)
      if (a != b) {
        EXPECT_EQ(job[a].link(b).flow.limit(), 32u);
      }
}

// More connections leave less for the pool: what is dealt comes back.
TEST(IbvWindowPool, AShrinkingPoolTakesCreditsBack) {
  std::mt19937 random(4);
  Job job(5, 32, 120);
  for (Rank peer = 1; peer < 5; ++peer) job.flood(0, {peer}, 200, random);
  job.drain(random);
  ASSERT_GT(job[0].pool.dealt(), 20u);
  job[0].pool.set_capacity(20);
  EXPECT_FALSE(job[0].pool.is_covered());
  job.drain(random);
  EXPECT_TRUE(job[0].pool.is_covered());
  job.expect_all_arrived();
}

TEST(IbvWindowPool, AConnectionThatEndsGivesItsShareBack) {
  std::mt19937 random(5);
  Job job(3, 32, 30);
  job.flood(0, {1}, 100, random);
  job.drain(random);
  EXPECT_EQ(job[0].pool.dealt(), 30u);
  job[0].pool.leave(job[0].link(1).flow);
  EXPECT_EQ(job[0].pool.dealt(), 0u);
}

// The figures: 32,767 entries, and jobs of up to a million processes.
TEST(IbvSharedReceives, HoldTheLeastSharesAndAPool) {
  for (const unsigned peers : {1u, 7u, 99u, 999u, 65'535u, 1'048'575u})
    for (const unsigned longest : {1u, 16u, 1'000u, 32'767u, 1'048'576u}) {
      const SharedReceives r = shared_receives(peers, 32, longest);
      EXPECT_LE(r.most, longest);
      EXPECT_GE(r.most, 1u);
      EXPECT_LE(2 * r.pool, r.most);
      EXPECT_LE(r.pool, kTargetReceives);
      if (std::size_t{peers} * receives_for(32) <= longest) {
        EXPECT_EQ(r.pool, std::min(peers * 30u, kTargetReceives));
        EXPECT_EQ(r.most, peers * receives_for(kMinCredits) + 2 * r.pool);
      }
    }
  EXPECT_EQ(shared_receives(999, 32, 32'767).pool, 8191u);  // the windows of 273 peers at 32 requests
}

}  // namespace
}  // namespace upcr::ibv
