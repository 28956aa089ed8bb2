// SPDX-License-Identifier: BSD-3-Clause
// The running job: one event loop over signals, sockets and output, which decides when the job is over and
// with which status. Its processes are children of upcrun, or of agents, which report their events
// (remote.cpp); the rules are the same. Single-threaded.
#pragma once
#include <poll.h>
#include <sys/types.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/base/unique_fd.hpp"
#include "tools/upcrun/base/unkillable.hpp"
#include "tools/upcrun/job/control.hpp"
#include "tools/upcrun/job/output.hpp"
#include "tools/upcrun/launch/guard.hpp"
#include "tools/upcrun/launch/launch_commands.hpp"
#include "tools/upcrun/launch/spawn.hpp"
#include "tools/upcrun/plan/plan.hpp"
#include "tools/upcrun/protocol/launch_spec.hpp"
#include "tools/upcrun/remote/agents.hpp"
#include "tools/upcrun/remote/input.hpp"

namespace upcrun {

class Job final : private ControlListener, private AgentListener {
 public:
  // `guarded`: the guard, whose death ends the job, and the state shared with it. `inherited`: as saved when
  // upcrun started. The references must outlive the job.
  Job(const Plan& plan, const InheritedState& inherited, const GuardedLauncher& guarded);
  // Starts the processes, and returns the job's exit status when none of them is left.
  int run();

 private:
  struct Process {
    pid_t pid = -1;  // a child of upcrun or of an agent
    bool exited = false;
    int wait_status = 0;
    pid_t member = 0;       // the process that joined: the child itself, or a descendant of a script
    UniqueFd member_pidfd;  // readable when that descendant has ended
    bool member_exited = false;
    bool reporting = false;                    // an error, while the job ends
    Milliseconds fail_at = 0;                  // when to fail with fail_reason; 0: never
    UnkillableDetector exit_watch{kSlowExit};  // while the kernel ends it
    std::string fail_reason;
    // Only with an agent:
    int signalled_by = 0;         // the signal by which its agent was told to end
    bool lost = false;            // the link was lost before the process's end was known
    std::size_t streams[2] = {};  // of the output
    int uncredited = 0;           // bytes of output received for which no credit was returned

    bool signalled() const { return signalled_by != 0; }
  };
  enum class Source { kSignal, kExecFailure, kControl, kMember, kLauncher, kInput };
  struct Origin {
    Source source;
    unsigned rank;
  };

  void start_processes();
  upcr::wire::JobVariable describe_job() const;
  Rendezvous open_listener(bool loopback_only, const std::vector<unsigned>& shares);
  void start_remote_processes();
  void check_duplicate_host(unsigned first);
  void start_launchers();
  void read_launcher_output();
  std::string output_of(const LaunchCommand& start) const;
  void on_launcher_exit(const LaunchCommand& start);
  void on_launcher_timeout(const LaunchCommand& start);
  void note_output(unsigned rank, int stream, std::string_view bytes);
  void acknowledge_output();
  void note_started(unsigned rank, const Message& message);
  void end_remote_processes();
  void force_remote_end();
  void release_agents();
  bool remote_over();
  std::string new_job_id() const;
  void start_process(const upcr::wire::JobVariable& job);
  // Waits for events, at most `timeout` ms (-1: without limit), and handles them.
  void loop_once(int timeout);
  void add_to_poll(int fd, short events, Source source, unsigned rank);
  int poll_timeout() const;
  void handle_signals();
  void handle_exec_failure();
  void on_member_exit(unsigned rank);
  void reap();
  void check_exit(unsigned rank);
  void check_unjoined();
  void check_deadlines();
  void report_timeout();
  void abandon(const std::vector<std::string>& lines);
  bool awaits_error_report(Milliseconds now) const;

  void on_joined(unsigned rank, pid_t pid) override;
  void on_leave(unsigned rank, int status, std::uint64_t grace) override;
  void on_exit_request(unsigned rank, int status, bool aborted) override;
  void on_peer_lost(unsigned rank, unsigned peer) override;
  void on_reporting(unsigned rank) override;
  void on_protocol_error(unsigned rank, const std::string& what) override;
  void on_closed(unsigned rank) override;

  void on_agent(unsigned first, unsigned count) override;
  void on_rejected_agent(const Hello& hello, const std::string& why) override;
  void on_rejected_connection(const std::string& what) override;
  void on_message(unsigned rank, const Message& message) override;
  void on_agent_lost(unsigned rank) override;

  // Ends the job with this status, unless it is ending already, and prints `message` unless it is empty.
  void fail(int status, const std::string& message);
  void end_all();
  void fail_later(unsigned rank, const std::string& why, Milliseconds grace = kReasonGrace);
  static constexpr Milliseconds kReasonGrace = 500;  // for a script to report why its program died
  static constexpr int kStatusHostLost = 125;        // a host, or the connection to it, was lost
  void report(const std::string& text) { output_.message("upcrun: " + text); }
  std::string describe_process(unsigned rank) const;
  std::string error_prefix() const;
  bool gasnet() const { return control_.client() == upcr::wire::Client::kGasnet; }
  bool over(const Process& process) const;
  // It has ended or will end, and the launcher of its agent will give the reason.
  static bool awaits_reason(const Process& process) { return process.signalled() || process.lost; }
  bool all_over() const;
  bool finished();
  int normal_status() const;
  void write_remaining_output();
  void report_output_error();

  const Plan& plan_;
  const InheritedState& inherited_;
  const unsigned size_;
  const pid_t guard_;
  GuardState& guard_state_;
  Output output_;
  Control control_;
  Spawner spawner_;
  UniqueFd signals_;
  std::vector<Process> processes_;
  std::string launch_spec_;                        // for the agents, formatted
  std::unique_ptr<Agents> agents_;                 // null: all processes are children of upcrun
  std::map<std::string, std::string> host_names_;  // by a host's own name: the user's name for it
  LaunchCommands launch_commands_;                 // that start the agents
  StandardInput input_;
  bool released_ = false;        // the agents have been told that all processes have ended
  bool launcher_asked_ = false;  // it was sent SIGTERM
  bool ending_ = false;
  UnkillableDetector unkillable_;
  bool unkillable_left_ = false;  // the kernel does not end some processes
  bool output_error_reported_ = false;
  bool interrupted_ = false;  // by a signal to upcrun: the output may have no reader any more
  int status_ = 0;
  Milliseconds kill_at_ = 0, timeout_at_ = 0;
  Milliseconds report_until_ = 0;  // until then processes that report an error are waited for
  Milliseconds grace_over_at_ =
      0;  // a process has ended the job; until then the others may exit by themselves
  std::vector<pollfd> polled_;
  std::vector<Origin> origins_;
};

}  // namespace upcrun
