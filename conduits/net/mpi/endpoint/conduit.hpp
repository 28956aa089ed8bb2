// SPDX-License-Identifier: BSD-3-Clause
// The mpi conduit: active messages, puts and gets as MPI messages between the job's processes.
//
// Needs of MPI: point-to-point messages, communicators of its own, MPI_THREAD_SERIALIZED when several threads
// of a process use the library. MPI makes progress in poll(), and in each send.
//
//   message_path.hpp    messages, and puts and gets by messages: the credited channel, rendezvous
//   rma/window.hpp      puts and gets through an MPI window, for the sizes for which that suits better
//   calibration.hpp     finds out, at attach, which sizes these are
//
// Order: requests between two processes arrive in the order of sending, and so do replies.
//
// Memory per peer: the receive buffers that its credits promise (4 to 32, fewer in large jobs, of 4 KiB over
// Open MPI and 8 KiB over MPICH, of which only what was written takes memory), and
// MessagePath::kBytesPerPeer. Per process: kSendBuffers + kSpareReceives buffers, and 64 KiB for each message
// of several packets that is arriving or held, 128 KiB for each request in bulk (kMaxBulks). No table of
// processes by processes.
//
// Threads: as conduits/core/transport/conduit.hpp says. One lock, the session's, is held around everything
// but handlers; a process with one thread does not take it.
#pragma once
#include <mpi.h>

#include <string>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/transport/conduit.hpp"
#include "conduits/net/mpi/endpoint/message_path.hpp"
#include "conduits/net/mpi/rma/choice.hpp"
#include "conduits/net/mpi/rma/window.hpp"

namespace upcr::mpi {

class MpiConduit final : public Conduit {
 public:
  MpiConduit() {
    caps_.max_medium = kMaxMedium;
    caps_.pipelined = kPipelined;
    caps_.max_bulk = kMaxBulk;
    caps_.checksums = true;
  }
  const char* name() const noexcept override { return "mpi"; }
  std::string describe() const override;

  Status attach(const AttachInfo& info) override;
  Status detach() override;

  Status am_send(Rank to, const AmPacket& packet) override;
  Status am_send_bulk(Rank to, const AmPacket& packet, Pending& local) override;
  Status put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
             Pending* local) override;
  Status get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) override;

  unsigned poll(unsigned budget, AmSink& sink) override;
  bool pending() const noexcept override;

 private:
  bool idle() const noexcept { return messages_.idle() && !window_.busy(); }
  [[gnu::cold]] void drain();

  const Topology* topology_ = nullptr;
  SpinLock* lock_ = nullptr;  // the session's
  bool multithreaded_ = false;
  MPI_Comm packets_ = MPI_COMM_NULL, data_ = MPI_COMM_NULL;
  mutable MessagePath messages_;
  Window window_;
  Choice choice_;      // which puts and gets go through window_
  std::string paths_;  // the same in words
};

}  // namespace upcr::mpi
