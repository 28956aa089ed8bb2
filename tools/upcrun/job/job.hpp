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
#include "tools/upcrun/job/agents.hpp"
#include "tools/upcrun/job/control.hpp"
#include "tools/upcrun/job/input.hpp"
#include "tools/upcrun/job/output.hpp"
#include "tools/upcrun/launch/guard.hpp"
#include "tools/upcrun/launch/launch_commands.hpp"
#include "tools/upcrun/launch/spawn.hpp"
#include "tools/upcrun/plan/plan.hpp"
#include "tools/upcrun/protocol/launch_spec.hpp"

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
    pid_t worker = 0;       // who joined: the child itself, or a descendant when a script is between
    UniqueFd member_pidfd;  // readable when that descendant has ended
    bool member_exited = false;
    Milliseconds fail_at = 0;                  // when to give up waiting for the reason of `fail_reason`
    UnkillableDetector exit_watch{kSlowExit};  // if the kernel is ending it
    std::string fail_reason;
    // Only with an agent:
    int signalled_by = 0;         // the signal by which its agent was told to end
    bool lost = false;            // the link was lost before the process's end was known
    std::size_t streams[2] = {};  // of the output
    int uncredited = 0;           // bytes of output received for which no credit was returned

    bool told() const { return signalled_by != 0; }
  };
  enum class Source { kSignal, kExecFailure, kControl, kMember, kLauncher, kInput };
  struct Origin {
    Source source;
    unsigned rank;
  };

  void start_processes();
  upcr::wire::JobVariable describe_job() const;
  LaunchSpec make_launch_spec(const upcr::wire::JobVariable& job) const;
  Rendezvous await_agents(bool here, const std::vector<unsigned>& shares);
  // `how`: where they are going to be, and by what; for -v. `conduit`: as the user chose.
  void prepare_mpirun(std::string* how, std::string* conduit);
  void prepare_hosts(std::string* how);
  void start_remote_processes();
  void check_duplicate_host(unsigned first);
  void start_launchers();
  void read_launcher_output();
  std::string words_of(const LaunchCommand& start) const;
  void on_launcher_exit(const LaunchCommand& start);
  void on_launcher_timeout(const LaunchCommand& start);
  std::string silent_hosts(const LaunchCommand& start) const;
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
  void judge(unsigned rank);
  void check_unjoined();
  void check_deadlines();
  void report_timeout();
  void leave_behind(const std::vector<std::string>& lines);

  void on_joined(unsigned rank, pid_t pid) override;
  void on_leave(unsigned rank, int status, std::uint64_t grace) override;
  void on_exit_request(unsigned rank, int status, bool aborted) override;
  void on_protocol_error(unsigned rank, const std::string& what) override;
  void on_closed(unsigned rank) override;

  void on_agent(unsigned first, unsigned count) override;
  void on_rejected_agent(const Hello& hello, const std::string& why) override;
  void on_rejected_connection(const std::string& what) override;
  void on_word(unsigned rank, const Message& message) override;
  void on_agent_lost(unsigned rank) override;

  // Ends the job with this status, unless it is ending already, and prints `message` unless it is empty.
  void fail(int status, const std::string& message);
  void end_all();
  void suspect(unsigned rank, const std::string& why, Milliseconds grace = kReasonGrace);
  static constexpr Milliseconds kReasonGrace = 500;  // for a script to tell why its program died
  static constexpr int kStatusHostLost = 125;        // exit status: a host, or the way to it, is gone
  void say(const std::string& text) { output_.message("upcrun: " + text); }
  std::string who(unsigned rank) const;
  std::string error_prefix() const;
  bool gasnet() const { return control_.client() == upcr::wire::Client::kGasnet; }
  bool over(const Process& process) const;
  // It has ended or will, but who started its agent has yet to say why.
  static bool troubled(const Process& process) { return process.told() || process.lost; }
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
  std::string order_;                         // for the agents
  std::unique_ptr<Remotes> remotes_;          // null: all processes are our children
  std::map<std::string, std::string> names_;  // of hosts, as they said: as the user named them
  LaunchCommands launch_commands_;            // of the agents
  Input input_;
  bool released_ = false;        // the agents know that everything is over
  bool launcher_asked_ = false;  // to end
  bool ending_ = false;
  UnkillableDetector killed_;
  bool unkillable_left_ = false;  // there are processes that the kernel does not end
  bool output_error_reported_ = false;
  bool interrupted_ = false;  // by a signal to upcrun: the output may have no reader any more
  int status_ = 0;
  Milliseconds kill_at_ = 0, timeout_at_ = 0;
  Milliseconds grace_over_at_ = 0;  // a process has left; until then the others may
  std::vector<pollfd> polled_;
  std::vector<Origin> origins_;
};

}  // namespace upcrun
