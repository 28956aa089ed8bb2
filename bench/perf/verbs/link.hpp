// SPDX-License-Identifier: BSD-3-Clause
// Two processes, one reliable connection made by rdma_cm, and plain loops over it: what a simple good program
// does with verbs, without upcr. Small messages are inline, one completion queue is polled, memory is
// registered once, and only the last of several work requests asks for a completion.
//
// It knows nothing of upcr: upcr_perf_ibv uses it between thread 0 and the partner, ibv_raw between two
// processes of its own. One thread uses a link. A failure ends the program, with its cause.
#pragma once
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#include <cstddef>
#include <cstdint>

#include "bench/perf/verbs/port.hpp"

namespace perf {

class VerbsLink {
 public:
  static constexpr std::size_t kLargest = 4u << 20, kLargestMessage = 64u << 10;

  VerbsLink() = default;
  ~VerbsLink();
  VerbsLink(const VerbsLink&) = delete;
  VerbsLink& operator=(const VerbsLink&) = delete;

  // One side listens; the caller hands the address to the other side; then they accept and connect.
  sockaddr_in listen(const VerbsPort& port);
  void accept();
  void connect(const VerbsPort& port, sockaddr_in to);

  // For more threads than CPUs: a thread that polls without success yields early.
  void yield_early() { spins_ = 50; }

  // Writes to and reads from the other side's memory, by one side alone; `batch` of them are outstanding
  // before all are waited for. A write is complete when its data can be seen there. iWARP's completions do
  // not say that: there the last write of a batch is followed by a read of 8 bytes.
  void writes(std::uint64_t n, std::size_t bytes, unsigned batch);
  void reads(std::uint64_t n, std::size_t bytes, unsigned batch);
  // Round trips of messages up to kLargestMessage, both sides at once; one of them leads.
  void round_trips(std::uint64_t n, std::size_t bytes, bool leads);

  // A shared receive queue is used where the device has it, unless UPCR_IBV_SRQ=no.
  bool has_srq() const { return srq_ != nullptr; }

 private:
  struct Key {  // of the memory that the other side reaches
    std::uint64_t address;
    std::uint32_t rkey;
  };

  void make_memory();
  void make_queues();
  rdma_conn_param parameters() const;
  void exchange_keys(bool first);
  void transfers(ibv_wr_opcode opcode, std::uint64_t n, std::size_t bytes, unsigned batch);
  void transfer(ibv_wr_opcode opcode, std::size_t bytes, bool signalled);
  void send(std::size_t bytes);
  void post_receive(std::uint64_t slot);
  void on_completion(const ibv_wc& done);
  void wait_for(const std::uint64_t& count, std::uint64_t value);

  // The memory: what the other side reads and writes, this side's end of reads and writes, a message to send,
  // and kReceives that arrive.
  char* source() const { return memory_ + kLargest; }
  char* outgoing() const { return source() + kLargest; }
  char* incoming(std::uint64_t slot) const { return outgoing() + (1 + slot) * kLargestMessage; }

  rdma_cm_id* listener_ = nullptr;
  rdma_cm_id* id_ = nullptr;
  ibv_pd* pd_ = nullptr;
  ibv_cq* cq_ = nullptr;
  ibv_srq* srq_ = nullptr;
  ibv_mr* region_ = nullptr;
  char* memory_ = nullptr;
  Key remote_key_{};
  std::size_t max_inline_ = 0;
  bool iwarp_ = false;
  unsigned read_depth_ = 1;
  unsigned spins_ = 20000;  // before it yields: by then the other side is likely to need this CPU
  std::uint64_t transfers_requested_ = 0, sends_ = 0, sends_requested_ = 0,
                awaited_ = 0;  // requested: of completions
  std::uint64_t transfers_done_ = 0, sends_done_ = 0, arrived_ = 0;
  std::uint64_t last_slot_ = 0;  // where the newest message is
};

}  // namespace perf
