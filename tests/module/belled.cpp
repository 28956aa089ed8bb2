// SPDX-License-Identifier: BSD-3-Clause
// Conduit belled: mailboxes that announce arrivals by a descriptor, as a network card does, and ring no
// doorbells. A process sets a flag in the host's memory (arm()); a process that sends to it, or makes room
// for it, and finds the flag set clears it and sends a datagram to its socket, which is the descriptor.
// Between two calls of arm() there is one datagram at most, and none for what arrived before: a thread that
// sleeps on the descriptor wakes only if everything is done in the right order.
//
// Memory per process of the job: a socket's address in each process.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <time.h>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <vector>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "tests/module/mailbox.hpp"

namespace upcr::test {
namespace {

struct alignas(64) Armed {
  std::atomic<std::uint32_t> set;
};

class BelledConduit final : public MailboxConduit {
 public:
  const char* name() const noexcept override { return "belled"; }

  void plan(MemoryFile& memory_file, const Topology& t) override {
    MailboxConduit::plan(memory_file, t);
    area_ = memory_file.reserve(t.size * sizeof(Armed), alignof(Armed));
  }

  Status attach(const AttachInfo& info) override {
    (void)MailboxConduit::attach(info);
    caps_.shares_memory_only = false;
    armed_ = info.memory_file.at<Armed>(area_);
    socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    sockaddr_un mine{};
    mine.sun_family = AF_UNIX;
    socklen_t bytes = sizeof mine;
    if (socket_ < 0 || ::bind(socket_, reinterpret_cast<sockaddr*>(&mine), sizeof mine.sun_family) != 0 ||
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&mine), &bytes) != 0)
      fatal("conduit belled has no socket (error %d)", errno);
    const Address address{mine, bytes};
    addresses_.resize(info.topology.size);
    info.bootstrap.allgather(&address, sizeof address, addresses_.data());
    return Status::kOk;
  }

  Status am_send(Rank to, const AmPacket& p) override {
    const Status status = MailboxConduit::am_send(to, p);
    if (status == Status::kOk) notify(to);
    return status;
  }

  unsigned poll(unsigned budget, AmSink& sink) override {
    const unsigned taken = MailboxConduit::poll(budget, sink);
    for (Rank r = 0; taken != 0 && r < addresses_.size(); ++r) notify(r);  // they have room again
    return taken;
  }

  int wait_fd() override { return socket_; }
  bool arm() override {
    const timespec moment{0, 50000};
    (void)::nanosleep(&moment,
                      nullptr);  // so that packets arrive more often between the last poll and arm()
    char byte;
    while (::recv(socket_, &byte, 1, 0) >= 0) {
    }
    armed_[topology_->rank].set.store(1, std::memory_order_seq_cst);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return !pending();
  }

  Status detach() override {
    ::close(socket_);
    return Status::kOk;
  }

 private:
  struct Address {
    sockaddr_un name;
    socklen_t bytes;
  };

  void ring(Rank) const override {}
  void notify(Rank to) const {
    std::atomic_thread_fence(std::memory_order_seq_cst);  // the packet is visible before the flag is read
    if (armed_[to].set.load(std::memory_order_relaxed) == 0 || armed_[to].set.exchange(0) == 0) return;
    const Address& a = addresses_[to];
    // A process that was armed may have ended.
    (void)!::sendto(socket_, "", 1, 0, reinterpret_cast<const sockaddr*>(&a.name), a.bytes);
  }

  MemoryFile::Area area_{};
  Armed* armed_ = nullptr;
  int socket_ = -1;
  std::vector<Address> addresses_;
};

std::unique_ptr<Conduit> create() { return std::make_unique<BelledConduit>(); }

}  // namespace
}  // namespace upcr::test

extern "C" UPCR_MODULE_API const upcr::ConduitModule upcr_conduit_module;
const upcr::ConduitModule upcr_conduit_module = {{upcr::kConduitAbi, "belled"}, upcr::test::create};
