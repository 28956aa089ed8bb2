// SPDX-License-Identifier: BSD-3-Clause
// The protocol between upcrun and the processes that it starts: the hidden environment variable and the
// packets on the SOCK_SEQPACKET socket that it names. The other end of the socket is upcrun itself, or an
// agent of upcrun's that mpirun has started in the process's stead and that forwards the packets by TCP
// (tools/upcrun/agent/agent.hpp): processes see no difference. Used by conduits/core/bootstrap and
// tools/upcrun only.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace upcr::wire {

inline constexpr char kJobVariable[] = "UPCR_JOB";
// Set while a program replaces itself by upcrun; a process that finds it, but no UPCR_JOB, was started by
// another program of that name, and must not try again.
inline constexpr char kRelaunchVariable[] = "UPCR_RELAUNCH";
// Set by a process that has joined a job in a slot of mpirun's or srun's: launcher/launcher_slot.hpp.
inline constexpr char kLauncherSlotVariable[] = "UPCR_LAUNCHER_SLOT";

inline constexpr std::uint32_t kVersion = 6;
inline constexpr std::size_t kChunk = 64 * 1024;  // payload of one packet at most

enum class Type : std::uint32_t {
  kHello = 1,    // process: has joined; value is kVersion
  kGather,       // process: `total` bytes from each; launcher: `total` bytes, those of all, in rank order
  kBroadcast,    // process: `total` bytes from rank `value`, none from the others; launcher: `total` bytes
  kBarrier,      // both ways
  kFinalize,     // both ways; afterwards the process may end as it likes
  kExit,         // process: end the job with `value`; launcher: the job ends with `value`, end yourself
  kAbort,        // process: as kExit, and the cause is on stderr
  kLeave,        // process: as kExit, but the others have `total` milliseconds to send the same
  kRemoveAtEnd,  // process: value 1: the file of the payload (format_file()) is to be removed when the job
                 // has ended; 0: not any more
  kPeerLost,     // process: cannot communicate with rank `value`; launcher: that process is alive. Without an
                 // answer it has ended or exits, and kExit follows
  kReporting,    // process, in answer to kExit: reports an error, and will send kAbort or die of a signal
  kWaits,        // launcher: what do the UPC threads wait for? process: a ThreadReport (thread_report.hpp) of
                 // each, in answer to the question `value`, which the launcher has numbered; `total` bytes
  kStalled,      // process: a UPC thread has waited for `value` seconds in one call
  kCrashed,      // process: has reported the signal `value` on stderr, and dies of it now
};

// `value` of the launcher's kGather and kBroadcast: the bytes follow in chunks; or they are in a file, whose
// descriptor comes with the packet (SCM_RIGHTS), and which all processes of the host map: each host has one
// copy. Not worth a file: kSmallReply bytes.
inline constexpr std::int32_t kInPackets = 0, kInFile = 1;
inline constexpr std::size_t kSmallReply = 4096;

// Milliseconds that a process has at the job's end: to flush its files and exit after kExit, and to end the
// report of an error after kReporting.
inline constexpr int kExitGrace = 1000, kReportGrace = 10'000;

// In a kHello's `total`: the program's kind, whose terms upcrun uses in its messages.
enum class Client : std::uint64_t { kUpc = 0, kGasnet = 1 };

struct Header {
  Type type;
  std::int32_t value;
  std::uint64_t total;  // bytes of the whole payload; a packet carries up to kChunk of it, in order
};
static_assert(sizeof(Header) == 16);

// A file: "DEVICE INODE PATH". Device and inode identify it, should another one get its path.
std::string format_file(unsigned long long device, unsigned long long inode, const std::string& path);
// False when `text` is not of this form, or the path not absolute.
bool parse_file(std::string_view text, unsigned long long* device, unsigned long long* inode,
                std::string* path);

// The hidden variable: "fork:fd=..,rank=..,size=..,threads=..,pthreads=..,id=..".
struct JobVariable {
  int fd = -1;
  unsigned rank = 0, size = 1, threads = 1, pthreads = 1;
  std::string id;

  std::string format() const;
  // False when `text` is not of this form or the numbers contradict each other.
  static bool parse(const char* text, JobVariable* out);
};

}  // namespace upcr::wire
