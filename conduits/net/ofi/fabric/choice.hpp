// SPDX-License-Identifier: BSD-3-Clause
// Which of libfabric's providers, and which of its domains, carries the job's messages.
//
// The user chooses by UPCR_OFI_PROVIDER and UPCR_OFI_DOMAIN, and by libfabric's own FI_PROVIDER. Otherwise a
// provider of a network's own comes before TCP, TCP before UDP and the old emulations, and shared memory
// last, for jobs on one host; among equals libfabric's order counts.
#pragma once
#include <rdma/fabric.h>

#include <cstdint>
#include <memory>
#include <string>

namespace upcr::ofi {

struct InfoDeleter {
  void operator()(fi_info* info) const noexcept { ::fi_freeinfo(info); }
};
using Info = std::unique_ptr<fi_info, InfoDeleter>;

// How well a provider suits: lower is better.
enum class Suitability : int { kNative, kTcp, kEmulation, kOneHost };
Suitability suitability(const char* provider) noexcept;

// Is it a network that neither TCP nor verbs (conduit ibv) reach as fast?
bool is_own_network(const fi_info& info) noexcept;

// Are its atomic operations coherent with those of the processors at the target? Those that have been tested:
// libfabric's utilities execute them there by the processor's own instructions, from 1.17 on at the latest.
bool has_coherent_atomics(const char* provider, std::uint32_t version) noexcept;

// Is this the address of a loopback interface, or one that has a meaning on its own link only?
bool is_loopback(const fi_info& info) noexcept;
bool is_link_local(const fi_info& info) noexcept;

// Tells libfabric how many processes the job has (FI_UNIVERSE_SIZE, unless the user has set it): ofi_rxm
// makes its completion queue for 256 of them, which is more than small verbs devices allow. Libfabric reads
// it once, in the first of its calls. Main thread, before the program's threads run.
void announce_processes(unsigned processes);

// The best one; null, with the reason: there is none. `one_host`: all processes are on one host.
Info choose(bool one_host, std::string* why_not);

// The hints for fi_getinfo().
Info make_hints();

}  // namespace upcr::ofi
