// SPDX-License-Identifier: BSD-3-Clause
// The environment variables and the log component of the ofi conduit, in the library rather than in the
// module: documentation and checks know them before the module is loaded, and where none is built.
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/log.hpp"

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_OFI_PROVIDER", ConfigType::kString, nullptr,
     "libfabric's provider for the job's messages, as `fi_info -t FI_EP_RDM` names it (tcp;ofi_rxm); unset: a "
     "network's own before TCP, before others, of those that FI_PROVIDER leaves"},
    {"UPCR_OFI_DOMAIN", ConfigType::kString, nullptr,
     "libfabric's domain on each host, for TCP and UDP the network interface (eth0); unset: the first one that "
     "reaches other hosts, and the loopback where all processes are on one host"},
    {"UPCR_OFI_PROGRESS", ConfigType::kChoice, "auto",
     "who moves data: manual: threads of the process that poll; provider: threads of the provider's own; auto: "
     "as the provider prefers",
     "auto|manual|provider"},
    {"UPCR_OFI_RMA", ConfigType::kChoice, "auto",
     "puts and gets by the provider's own remote access: auto: those of more than 8 KB; yes: all but aligned "
     "words; no, on any process: messages",
     "auto|yes|no"},
    {"UPCR_OFI_ATOMICS", ConfigType::kChoice, "auto",
     "atomic operations on words of 64 bits by the provider: auto: where they are known to be coherent with the "
     "processors' and the target need not poll; yes: wherever the provider has them, and you know that they are "
     "coherent; no: processors execute all of them",
     "auto|yes|no"},
    {"UPCR_OFI_TIMEOUT", ConfigType::kInt, "15",
     "seconds for which a process on another host may not answer, nor its host, while something is outstanding; "
     "then the job ends; 0: it waits as long as libfabric's provider does",
     "0..86400"},
    {"UPCR_OFI_SLEEP", ConfigType::kBool, "yes",
     "waiting threads sleep until the provider reports an event, if it can; no: they nap"},
    {"UPCR_OFI_CREDITS", ConfigType::kInt, "32",
     "requests from one process to another that are not acknowledged, at most; all processes use the lowest "
     "value",
     "2..1024"},
    {"UPCR_OFI_RECEIVES", ConfigType::kInt, "512",
     "receive buffers of each process, for all of its peers, if the provider has room for as many",
     "16..65536"},
    {"UPCR_OFI_SENDS", ConfigType::kInt, "256",
     "messages of each process that have not left, at most, if the provider has room for as many",
     "16..65536"},
};
ConfigTable table("ofi", kVars);
LogComponent log_ofi("ofi");

}  // namespace
}  // namespace upcr
