// SPDX-License-Identifier: BSD-3-Clause
// The environment variables and the log component of the ibv conduit, in the library rather than in the
// module: documentation and checks know them before the module is loaded, and where none is built.
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/log.hpp"

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_IBV_PORTS", ConfigType::kString, nullptr,
     "ports to use, device:port with commas between, as mlx5_0:1,mlx5_1:1; unset: the active ones that are "
     "nearest to the process"},
    {"UPCR_IBV_PKEY", ConfigType::kString, nullptr,
     "the partition of InfiniBand that is used, as 0x8001: that of the port's IPoIB interface; its lower 15 bits "
     "count; unset: that of the interface that is found first"},
    {"UPCR_IBV_TRAFFIC_CLASS", ConfigType::kInt, nullptr,
     "RoCE: the traffic class of all packets (its upper six bits are the DSCP), from which librdmacm derives the "
     "VLAN's priority; InfiniBand: the QoS class by which the subnet manager chooses the service level (neither "
     "with UPCR_IBV_CONNECT_BY=ud: UPCR_IBV_SERVICE_LEVEL)",
     "0..255"},
    {"UPCR_IBV_RELAXED_ORDERING", ConfigType::kChoice, "private",
     "memory into which a device may write out of order over PCIe, where it can: private: that of programs, where "
     "completions say what has arrived; all: shared segments as well, which breaks the order of strict writes; no",
     "private|all|no"},
    {"UPCR_IBV_CONNECT", ConfigType::kChoice, "first-use",
     "a connection to another process is made when it is used first, or those to all processes at start-up",
     "first-use|all"},
    {"UPCR_IBV_CONNECT_BY", ConfigType::kChoice, "auto",
     "connections are made by librdmacm, which needs IP addresses (and on InfiniBand asks the subnet manager for the "
     "path between two ports, once for each host), or by datagrams (ud), which need neither; auto: by librdmacm, and "
     "by datagrams where a process has no IP address on its ports",
     "auto|rdmacm|ud"},
    {"UPCR_IBV_SERVICE_LEVEL", ConfigType::kInt, "0",
     "the service level of connections that are made by datagrams (UPCR_IBV_CONNECT_BY=ud), on RoCE the VLAN's "
     "priority (0 to 7); with librdmacm the subnet manager chooses it, or UPCR_IBV_TRAFFIC_CLASS",
     "0..15"},
    {"UPCR_IBV_CONNECTIONS", ConfigType::kInt, "0",
     "connections of a process that stay open; beyond that, those that have been quiet for longest are closed, "
     "and made again when they are needed; 0: as many as the device has queue pairs for",
     "0..1048576"},
    {"UPCR_IBV_XRC", ConfigType::kChoice, "auto",
     "one queue pair for all processes of another host (XRC), whose connections are made by datagrams: auto: where "
     "all devices can do it and there are more processes on other hosts than UPCR_IBV_CONNECTIONS allows "
     "connections; yes: always; no: a queue pair for each process",
     "auto|yes|no"},
    {"UPCR_IBV_STRIPE", ConfigType::kString, "64KB",
     "puts and gets of at least so many bytes are distributed over all pairs of ports that two processes have in "
     "common, by a connection for each, which the first of them makes; no: every pair of processes has one connection"},
    {"UPCR_IBV_CONNECT_TIMEOUT", ConfigType::kInt, "60",
     "seconds after which a connection that cannot be made ends the job", "1..3600"},
    {"UPCR_IBV_TIMEOUT", ConfigType::kInt, "15",
     "seconds without an acknowledgement after which a connection of InfiniBand or RoCE fails and ends the "
     "job: sets the ack timeout and the retry count of queue pairs. rxe takes about this time, adapters up to "
     "four times as long; iWARP has TCP's own time-outs",
     "1..3600"},
    {"UPCR_IBV_PORT_DOWN", ConfigType::kInt, "5",
     "seconds for which a port may be down while something is outstanding; InfiniBand and RoCE give up after "
     "UPCR_IBV_TIMEOUT by themselves",
     "0..3600"},
    {"UPCR_IBV_RECEIVES", ConfigType::kInt, "32",
     "requests from one process to another that are not acknowledged, at most; each has receive buffers, of "
     "which peers that talk get more; of two processes the lower value counts",
     "2..1024"},
    {"UPCR_IBV_SEND_DEPTH", ConfigType::kInt, "64",
     "work requests (messages, puts, gets) in progress from one process to another, at most", "2..32768"},
    {"UPCR_IBV_SRQ", ConfigType::kChoice, "auto",
     "receive buffers common to all peers: auto: where the device has such queues", "auto|yes|no"},
    {"UPCR_IBV_SRQ_SIZE", ConfigType::kInt, "0",
     "receive buffers common to all peers, at most; 0: as many as the device allows, and 131072. Where that "
     "is fewer than connected peers need at least they wait for one (receiver not ready)",
     "0..1048576"},
    {"UPCR_IBV_BOUNCE", ConfigType::kSize, "8KB",
     "transfers up to this size from or to private memory are copied through registered buffers, larger ones "
     "register it"},
    {"UPCR_IBV_PIN_MAX", ConfigType::kSize, "1GB",
     "private memory that stays registered for the next transfer, at most, of each process"},
    {"UPCR_IBV_PIN_ENTRIES", ConfigType::kInt, "1024",
     "pieces of private memory that stay registered, at most, of each process", "1..1048576"},
    {"UPCR_IBV_WATCH", ConfigType::kChoice, "auto",
     "how changes of private memory that stays registered are noticed: userfaultfd: the kernel announces them; "
     "hooks: by hooks in the C library's munmap, mmap, mremap, madvise and brk; on-demand: need not be, "
     "as devices page it on demand where they can; auto: the first of these three that there is; no: such memory is "
     "registered for each transfer",
     "auto|userfaultfd|hooks|on-demand|no"},
    {"UPCR_IBV_WORDS", ConfigType::kChoice, "auto",
     "aligned accesses of 2, 4 and 8 bytes: auto: by RDMA unless the device is software that may tear them",
     "auto|rdma|messages"},
    {"UPCR_IBV_ATOMICS", ConfigType::kChoice, "auto",
     "atomic operations: auto: by the device if its atomics are coherent with the processors', else by "
     "messages; device: by it in any case, for tests",
     "auto|device|messages"},
};
ConfigTable table("ibv", kVars);
LogComponent log_ibv("ibv");

}  // namespace
}  // namespace upcr
