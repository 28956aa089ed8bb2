// SPDX-License-Identifier: BSD-3-Clause
// Puts and gets by the provider's own remote memory access, for the transfers for which that pays: larger
// than kMaxByMessage bytes (UPCR_OFI_RMA=yes: all but aligned words, which a provider may tear). The others,
// and those of private memory where the provider wants memory of this side to be registered (FI_MR_LOCAL),
// are messages.
//
// Every process registers its segments at the start and gets the keys of all others: 8 bytes for each slot of
// the job and each process, once for each host. If one of them cannot, all use messages.
//
// Threads: under the conduit's lock; open() and close() on the main thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/transport/conduit.hpp"
#include "conduits/net/ofi/fabric/network.hpp"
#include "conduits/net/ofi/messages/operation.hpp"

namespace upcr::ofi {

class RemoteAccess {
 public:
  // A transfer of more bytes would be several messages.
  static constexpr std::size_t kMaxByMessage = 8192;

  // Collective. False: puts and gets are messages.
  bool open(Network& network, const AttachInfo& info);
  void close();

  // As the functions of Conduit.
  Status put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
             Pending* local);
  Status get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done);

  // The transfer has completed.
  void complete(Operation& operation) noexcept;
  bool idle() const noexcept { return operations_ == nullptr || free_.size() == kOperations; }
  std::size_t max_bytes() const noexcept;

  // Where memory of another process is, for the provider. False: it is in no segment of that process.
  struct Target {
    fi_addr_t process;
    std::uint64_t address, key;
  };
  bool find_remote(Rank rank, std::uint64_t raddr, std::size_t bytes, Target* target) const noexcept;

 private:
  static constexpr std::uint32_t kOperations = 256;  // in progress at once

  bool register_segments();
  bool exchange_keys(Bootstrap& bootstrap, bool registered);
  bool by_message(std::uint64_t raddr, std::size_t bytes) const noexcept {
    if (!all_sizes_) return bytes <= kMaxByMessage;
    return bytes <= 8 && (bytes & (bytes - 1)) == 0 && raddr % bytes == 0;
  }
  bool find_local(const void* at, std::size_t bytes, void** desc) const noexcept;
  Status start(bool write, const Target& target, void* at, std::size_t bytes, void* desc, Rank peer,
               Pending& done, Pending* local);

  Network* network_ = nullptr;
  const Topology* topology_ = nullptr;
  const SegmentMap* segments_ = nullptr;
  bool all_sizes_ = false;
  std::vector<Registration> registrations_;  // of each slot of this process
  Table key_table_;                          // once for each host
  std::span<const std::uint64_t> keys_;      // key_table_'s: keys_of_rank_ of each rank
  std::size_t keys_of_rank_ = 0;             // of the slots that it has; the last one is none
  std::unique_ptr<Operation[]> operations_;
  std::vector<std::uint32_t> free_;
};

}  // namespace upcr::ofi
