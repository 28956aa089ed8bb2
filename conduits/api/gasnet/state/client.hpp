// SPDX-License-Identifier: BSD-3-Clause
// The state of a process's GASNet client: its job, how far start-up has come, what the client was compiled
// for, where the nodes are. Written by gasnet_init() and gasnet_attach() only. C functions of the API have no
// argument for it, so it is reached by a global pointer, the only one to anything of a job.
#pragma once
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "conduits/core/job/job.hpp"
#include "include/gasnet/core.h"
#include "include/gasnet/types.h"

namespace upcr::gasnet {

enum class Stage : int { kNone, kStarted, kAttached };
enum class ThreadModel { kSeq, kParsync, kPar };

struct Client {
  Job job;
  std::atomic<Stage> stage{Stage::kNone};
  pid_t pid = 0;  // of the process that called gasnet_init(), not of its forked children
  ThreadModel threads = ThreadModel::kSeq;
  bool everything = false;                       // GASNET_SEGMENT_EVERYTHING
  std::uintptr_t max_local = 0, max_global = 0;  // limits of gasnet_attach()'s segment size
  std::vector<gasneti_peer_t> peers;             // once attached
  std::vector<gasneti_peer_t> peers_of_inlined;  // while operations are traced: nothing is mapped
  std::vector<gasnet_nodeinfo_t> nodes;          // once started

  static constexpr std::size_t kBytesPerNode =
      sizeof(decltype(peers)::value_type) + sizeof(decltype(nodes)::value_type);
};
// Made when the library is loaded (client.cpp).
extern Client* the_client;
inline Client& client() noexcept { return *the_client; }
inline Job& job() noexcept { return client().job; }

// Whether the client forked this process, which is no node then. Async-signal-safe.
inline bool in_forked_child() noexcept { return getpid() != client().pid; }

inline Slot my_slot() noexcept { return gasneti_state.mynode; }  // a node is a slot

// Fatal before that stage of start-up. `function` is the client's call.
void require_started(const char* function);
void require_attached(const char* function);
// The same in the debug library only: for calls on the fast path.
inline void check_attached([[maybe_unused]] const char* function) {
#ifdef UPCR_DEBUG
  require_attached(function);
#endif
}

// A call that returns an error code, and its place in the source.
struct Refusal {
  Refusal(int c, const char* f, const char* in = __builtin_FILE(), int at = __builtin_LINE()) noexcept
      : code(c), function(f), file(in), line(at) {}
  int code;
  const char *function, *file;
  int line;
};
// Returns the code. Prints the reason in the debug library, or with GASNET_VERBOSEENV.
int refuse(const Refusal& refusal, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Compares each object's configuration, "SEQ/FAST/nodebug/file.c". Fatal when they differ.
void check_units(const char* const* units, const char* const* end);

// The wording of messages, signals, exit handlers (client_api.cpp, signals.cpp, exit.cpp).
void install_client_api();
void install_signals();
void watch_exit();

// gasnet_attach()'s table: fills in `index` of entries that have 0. False: an index is bad, or used twice.
bool choose_indices(gasnet_handlerentry_t* table, int entries, const char** mistake);
// Registers the table's handlers with the engine, before any node may send.
void register_handlers(AmEngine& engine, const gasnet_handlerentry_t* table, int entries);

}  // namespace upcr::gasnet
