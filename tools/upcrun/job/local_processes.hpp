// SPDX-License-Identifier: BSD-3-Clause
// Processes that are children of upcrun.
#pragma once
#include <vector>

#include "tools/upcrun/base/unique_fd.hpp"
#include "tools/upcrun/base/unkillable.hpp"
#include "tools/upcrun/job/control.hpp"
#include "tools/upcrun/job/output.hpp"
#include "tools/upcrun/job/process_backend.hpp"
#include "tools/upcrun/job/processes.hpp"
#include "tools/upcrun/job/supervisor.hpp"
#include "tools/upcrun/launch/spawn.hpp"

namespace upcrun {

class LocalProcesses final : public ProcessBackend {
 public:
  // The references must outlive this object.
  LocalProcesses(const Plan& plan, const InheritedState& inherited, Output& output, Control& control,
                 Processes& processes, Supervisor& supervisor);

  bool start_some() override;
  void collect(std::vector<pollfd>& fds) override;
  void handle(const pollfd* fds, std::size_t count) override;
  void on_child_exit(pid_t pid, int wait_status) override;
  void on_descendant_joined(unsigned rank) override;
  void forward_signal(int number) override;
  void on_peer_lost(unsigned rank, unsigned peer) override;
  bool awaits_exit(unsigned rank, Milliseconds now) override;
  Milliseconds end_programs() override;
  bool finished() override { return processes_.all_ended(); }

 private:
  enum class Source { kExecFailure, kControl, kMember };
  struct Origin {
    Source source;
    unsigned rank;
  };
  void start();
  void add_to_poll(std::vector<pollfd>& fds, int fd, short events, Source source, unsigned rank);
  void handle_exec_failure();
  void on_member_exit(unsigned rank);

  const Plan& plan_;
  Output& output_;
  Control& control_;
  Processes& processes_;
  Supervisor& supervisor_;
  Spawner spawner_;
  upcr::wire::JobVariable job_;          // with the rank of the next process to start
  std::vector<UniqueFd> member_pidfds_;  // by rank; readable when a descendant that has joined has ended
  std::vector<UnkillableDetector> exit_watches_;  // by rank; while the kernel ends the process
  std::vector<Origin> origins_;                   // of collect()'s entries
};

}  // namespace upcrun
