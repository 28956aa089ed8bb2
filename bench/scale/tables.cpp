// SPDX-License-Identifier: BSD-3-Clause
// What a host and a process keep for each rank of the job, in the words of docs/explanation/scaling.md. Sizes
// are those of types, or of formulas that assertions beside the allocations compare.
#include <cstdio>
#include <string>

#include "bench/scale/startup.hpp"
#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/core/bootstrap/end/termination_channel.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/rma/deferred_requests.hpp"
#include "conduits/net/ibv/connect/bytes_per_peer.hpp"
#include "conduits/net/ofi/endpoint/bytes_per_peer.hpp"
#include "upcr/coll/call/inbox.hpp"
#include "upcr/sync/sem_remote.hpp"

namespace upcr::scale {
namespace {

constexpr std::uint64_t kRanks[] = {1024, 65536, 1048576};
constexpr std::uint64_t kBits = 8;  // of a byte: some tables have less than one for each rank

// Of the shared ones: not conduit ibv's.
constexpr std::size_t kProcesses = sizeof(ProcessInfo), kAddresses = sizeof(std::uint64_t);
constexpr std::size_t kMapped = sizeof(decltype(SegmentMap::mapped)::value_type);
constexpr std::size_t kIbv = ibv::kBytesPerPeer - ibv::kUntouchedPerPeer;
constexpr std::size_t kOfi = ofi::kBytesPerPeer - ofi::kUntouchedPerPeer;
// Bits of a UPC thread's set of all threads.
constexpr std::uint64_t kWatchers = coll::watcher_bytes(kRanks[0]) * kBits / kRanks[0];
constexpr std::uint64_t kUntouched =
    kWatchers +
    kBits * (DeferredRequests::kCreditBytes + DeferredRequests::kBytesPerPeer + sizeof(RemoteWaiter));

std::string size_text(std::uint64_t bytes) {
  char text[32];
  if (bytes < 1024)
    std::snprintf(text, sizeof text, "%llu B", static_cast<unsigned long long>(bytes));
  else if (bytes < std::uint64_t{1} << 20)
    std::snprintf(text, sizeof text, "%.4g KiB", static_cast<double>(bytes) / 1024);
  else if (bytes < std::uint64_t{1} << 30)
    std::snprintf(text, sizeof text, "%.4g MiB", static_cast<double>(bytes) / (1 << 20));
  else
    std::snprintf(text, sizeof text, "%.4g GiB", static_cast<double>(bytes) / (1 << 30));
  return text;
}

std::string head(const std::string& what) {
  return "| " + what +
         " | bytes for each rank | at 1,024 | at 65,536 | at 1,048,576 |\n|---|---|---|---|---|\n";
}

std::string number_text(std::uint64_t number) {
  std::string text = std::to_string(number);
  if (text.size() > 3) text.insert(text.size() - 3, ",");
  return text;
}

std::string row_of_bits(const std::string& what, std::uint64_t bits) {
  std::string each = bits >= kBits || bits == 0 ? number_text(bits / kBits) : "";
  if (bits % kBits != 0) each += (each.empty() ? "" : " ") + std::to_string(bits % kBits) + "/8";
  std::string line = "| " + what + " | " + each + " |";
  for (const std::uint64_t ranks : kRanks) line += " " + size_text(bits * ranks / kBits) + " |";
  return line + "\n";
}

std::string row(const std::string& what, std::size_t bytes) { return row_of_bits(what, bytes * kBits); }

std::string of_host(std::size_t* ibv_host) {
  std::string text = head("table");
  std::size_t all = 0;
  for (const SharedTable& table : kSharedTables) {
    all += table.bytes;
    text += row(table.what, table.bytes);
  }
  *ibv_host = all;
  return text + row("**each host**, in memory that its processes share", all) +
         row("conduit ibv with XRC, besides: host of each rank", sizeof(Rank)) +
         row("conduit ofi, in place of ibv's: hosts and probe ports (`Greeting`), names, keys",
             ofi::kSharedBytesPerPeer) +
         row("**each host** over conduit ofi", kProcesses + kAddresses + ofi::kSharedBytesPerPeer);
}

std::string of_process(std::size_t ibv_host) {
  // Computed from the numbers of ranks and slots where every rank has as many threads.
  const std::size_t topology = FirstSlots::regular(1, 1).table_bytes() + RankOfSlot::regular(1).table_bytes();
  const std::string processes = std::to_string(kRanksPerHost) + " such processes, and what they share";
  const std::size_t ofi_host = kProcesses + kAddresses + ofi::kSharedBytesPerPeer;
  const std::size_t ibv = topology + kMapped + kIbv, ofi = topology + kMapped + kOfi;
  return head("state of a process") + row("ranks and slots (`Topology`)", topology) +
         row("where segments are mapped here (`SegmentMap::mapped`)", kMapped) +
         row("conduit ibv: connections", kIbv) + row("**each process** over conduit ibv", ibv) +
         row("**each host**: " + processes, kRanksPerHost * ibv + ibv_host) +
         row("conduit ofi: peers", kOfi) +
         row("**each process** over conduit ofi, beside what libfabric keeps", ofi) +
         row("**each host**: " + processes, kRanksPerHost * ofi + ofi_host);
}

std::string of_some() {
  return head("in some jobs, in each process besides") +
         row("GASNet clients: nodes and segments of peers", gasnet::Client::kBytesPerNode) +
         row("ranks have different numbers of threads (one on average): ranks and slots",
             sizeof(Rank) + sizeof(Slot)) +
         row("the same: addresses of segments, and keys of conduit ibv, in place of the host's",
             sizeof(std::uint64_t) + sizeof(std::uint32_t)) +
         row_of_bits("not started by upcrun: where to send that the job ends",
                     TerminationChannel::kBytesPerPeer * kBits + 1);
}

std::string of_untouched() {
  return head("address space of a process, touched where it is used") +
         row_of_bits("threads to wake when this thread enters a collective: one bit each", kWatchers) +
         row("copies requested from each peer (`DeferredRequests`)", DeferredRequests::kCreditBytes) +
         row("copies that peers may request", DeferredRequests::kBytesPerPeer) +
         row("threads that wait for a semaphore here", sizeof(RemoteWaiter)) +
         row("conduit ibv: connections to be made, acknowledgements to be sent", ibv::kUntouchedPerPeer) +
         row("conduit ofi: acknowledgements to be sent, indices of addresses", ofi::kUntouchedPerPeer) +
         row_of_bits("**each process** over conduit ibv", kUntouched + kBits * ibv::kUntouchedPerPeer);
}

}  // namespace

std::string tables_of_memory() {
  std::size_t ibv_host = 0;
  const std::string host = of_host(&ibv_host);
  return host + "\n" + of_process(ibv_host) + "\n" + of_some() + "\n" + of_untouched();
}

}  // namespace upcr::scale
