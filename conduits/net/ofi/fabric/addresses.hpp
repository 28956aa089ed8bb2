// SPDX-License-Identifier: BSD-3-Clause
// Where the other processes are: libfabric's address vector, the names of their hosts, and the ports at which
// their hosts can be probed (liveness/host_probe.hpp).
//
// The vector is a table (FI_AV_TABLE) where the provider allows it. An address is put into it when something
// is sent to it first, since providers keep some hundred bytes for each (fi_av(3)); who only receives needs
// none. Memory for each process of the job: kAddressBytesPerPeer, touched where it is used; a Greeting and
// the name, once for each host where upcrun has started the job.
//
// Threads: main thread, but for the lookups, under the conduit's lock.
#pragma once
#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "conduits/core/base/system/status.hpp"
#include "conduits/core/bootstrap/table.hpp"
#include "conduits/net/ofi/fabric/greeting.hpp"

namespace upcr {
class Bootstrap;
}

namespace upcr::ofi {

class Addresses {
 public:
  void open(fid_domain* domain, const fi_info& info);
  void close();
  fid_av* vector() const noexcept { return vector_; }

  // Collective: all processes learn each other's addresses. `probe_port`: at this process's address; 0: none.
  void exchange(Bootstrap& bootstrap, const fi_info& info, fid_ep* endpoint, std::uint16_t probe_port);

  // Under the conduit's lock.
  fi_addr_t of(Rank rank) noexcept {
    if (complements_[rank] == 0) [[unlikely]]
      insert(rank);
    return ~complements_[rank];
  }
  // "fi_sockaddr_in://10.0.0.2:41234"
  std::string text_of(Rank rank) const;
  const char* host_of(Rank rank) const noexcept;
  // Where to probe the host of this rank. False: it cannot be probed.
  bool probe_address(Rank rank, sockaddr_storage* address) const noexcept;

 private:
  [[gnu::cold]] void insert(Rank rank) noexcept;
  // As fi_getname() gave it to that process.
  const char* name_of(Rank rank) const noexcept;

  fid_av* vector_ = nullptr;
  struct Free {
    void operator()(void* memory) const noexcept { std::free(memory); }
  };
  // Of each rank's index in the vector, so that 0 stands for FI_ADDR_NOTAVAIL.
  std::unique_ptr<fi_addr_t[], Free> complements_;
  Rank size_ = 0, inserted_ = 0;
  // What the processes of a host share. The names are kept, as udp;ofi_rxd knows no address of a peer that it
  // has not heard yet (fi_av_lookup).
  Table greetings_, names_;
  std::size_t name_bytes_ = 0;
};

// The address at which the endpoint is; family AF_UNSPEC: not one of IP's.
sockaddr_storage ip_address_of(const fi_info& info, fid_ep* endpoint);

}  // namespace upcr::ofi
