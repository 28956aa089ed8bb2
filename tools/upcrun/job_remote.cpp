// SPDX-License-Identifier: BSD-3-Clause
// A job whose processes have agents: how they come in, what the agents tell, and how all of that ends.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "tools/upcrun/addresses.hpp"
#include "tools/upcrun/failure.hpp"
#include "tools/upcrun/job.hpp"
#include "tools/upcrun/mpirun.hpp"
#include "tools/upcrun/order.hpp"
#include "tools/upcrun/reach.hpp"
#include "tools/upcrun/sweep.hpp"

namespace upcrun {
namespace {

constexpr Milliseconds kLostGrace = 3000;    // for mpirun to say why an agent is gone
constexpr Milliseconds kToldGrace = 3000;    // likewise, why it ends the agents
constexpr Milliseconds kAgentsGrace = 2500;  // for the agents to end their programs, who have 1000 of it
constexpr Milliseconds kStarterPatience = 10'000;  // for mpirun to end when all agents have
constexpr Milliseconds kStarterGrace = 2500;       // between SIGTERM to mpirun and SIGKILL

std::string own_path() {
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0) throw Failure{1, "cannot read /proc/self/exe, which mpirun is to start"};
  return {path, static_cast<std::size_t>(length)};
}

std::string working_folder() {
  char path[PATH_MAX];
  if (::getcwd(path, sizeof path) == nullptr)
    throw Failure{
        1, "the current directory cannot be named, and the processes are to run in it; change to another"};
  return path;
}

std::string launch_interface() {
  const char* value = std::getenv("UPCR_LAUNCH_IFACE");
  return value != nullptr ? value : "";
}

std::string listed(const std::vector<Host>& hosts) {
  std::string text;
  for (const Host& host : hosts)
    text += (text.empty() ? "" : ", ") + std::to_string(host.slots) + " on " + host.name;
  return text.empty() ? "hosts as the batch system says" : text;
}

}  // namespace

void Job::start_remote_processes() {
  leave_outer_job();
  const upcr::wire::JobVariable job = describe_job();
  Order order;
  order.options = plan_.options;
  order.options.program = plan_.program;
  order.options.pthreads = plan_.pthreads;
  if (order.options.argv0.empty()) order.options.argv0 = plan_.options.program;
  if (order.options.conduit.empty()) order.options.conduit = "mpi";
  order.processes = size_;
  order.job_id = job.id;
  order.folder = working_folder();
  order.merged_output = output_.merged();
  order.environment = environment_for_ranks();
  order_ = order.format();

  const Mpirun mpirun = find_mpirun(plan_.program);
  const std::vector<Host> hosts = chosen_hosts(plan_.options, size_);
  const bool here = all_here(hosts) && launch_interface().empty();
  Rendezvous rendezvous{Credentials::make(), 0, {"127.0.0.1"}};
  if (here && !has_loopback())
    throw Failure{1,
                  "this host has no loopback interface with 127.0.0.1, by which the processes reach upcrun; "
                  "bring it up (`ip link set lo up`), or name another one in UPCR_LAUNCH_IFACE"};
  if (!here) {
    rendezvous.addresses = own_addresses(launch_interface());
    if (rendezvous.addresses.empty())
      throw Failure{1, "this host has no address that other hosts could reach; bring a network interface up"};
  }
  remotes_ = std::make_unique<Remotes>(rendezvous.credentials, here, std::vector<unsigned>(size_, 1),
                                       static_cast<RemoteListener&>(*this));
  rendezvous.port = remotes_->port();
  for (unsigned rank = 0; rank < size_; ++rank) {
    const std::string label = plan_.options.label ? "[" + plan_.thread_range(rank) + "] " : "";
    processes_[rank].streams[0] = output_.add_remote(false, label);
    processes_[rank].streams[1] = output_.add_remote(true, label);
  }
  const std::vector<std::string> words = mpirun_words(mpirun, plan_, hosts, own_path());
  if (plan_.options.verbose) {
    say(plan_.program + ": " + std::to_string(job.threads) + " UPC threads in " + std::to_string(size_) +
        " processes, conduit " + order.options.conduit + ", " + listed(hosts) + ", by " + mpirun.path + " (" +
        upcr::mpi_library_name(mpirun.library) + "; " + mpirun.why + ")");
    std::string line;
    for (const std::string& word : words) line += " " + word;
    say("listening on port " + std::to_string(rendezvous.port) + "; runs" + line);
  }
  std::vector<std::string> variables = {std::string(kAgentVariable) + "=" + rendezvous.format()};
  if (reaches_itself(mpirun, plan_.options, hosts))
    for (const std::string& variable : reach_variables(plan_.options.rsh.empty() ? "ssh" : plan_.options.rsh))
      variables.push_back(variable);
  starter_.start(words, variables, inherited_);
}

void Job::on_agent(unsigned first, unsigned count) {
  if (ending_) return remotes_->tell(first, Word::kRelease);
  remotes_->tell(first, Word::kOrder, 0, order_);
  for (unsigned rank = first; rank < first + count; ++rank)
    control_.add(rank, remotes_->link(rank), remotes_->number(rank));
}

void Job::on_misplaced(const Hello& hello, const std::string& why) {
  if (ending_ || released_) return;
  if (hello.rank != Hello::kUnreachable)
    return fail(1, "upcrun: a process (pid " + std::to_string(hello.pid) + ", host " + hello.host +
                       ") came that cannot be part of the job: " + why);
  // When all agents have come, their links tell what becomes of them.
  if (remotes_->all_have_come()) return;
  handle_starter_words();
  const std::string& said = starter_.said();
  fail(1, "upcrun: host " + hello.host + ": " + why +
              (said.empty() || plan_.options.verbose
                   ? ""
                   : "; it said:\n" + said.substr(0, said.find_last_not_of('\n') + 1)));
}

void Job::on_stranger(const std::string& what) {
  if (plan_.options.verbose) say(what);
}

void Job::on_word(unsigned rank, const Message& message) {
  Process& process = processes_[rank];
  switch (message.word) {
    case Word::kStarted:
      return note_started(rank, message);
    case Word::kFailed:
      process.exited = true;
      return fail(message.value, "upcrun: rank " + std::to_string(rank) + " on host " + remotes_->host(rank) +
                                     ": " + std::string(message.payload));
    case Word::kPacket:
      control_.deliver(rank, message.payload, message.value);
      return control_.flush(rank);
    case Word::kHungUp:
      return on_closed(rank);
    case Word::kWorkerOver:
      process.worker_over = true;
      return judge(rank);
    case Word::kEnded:
      process.exited = true;
      process.wait_status = message.value;
      return judge(rank);
    case Word::kTold:
      process.told = true;
      process.suspect_at = 0;
      return suspect(
          rank,
          "was told to end by signal " + std::to_string(message.value) + ", from mpirun or from outside",
          kToldGrace);
    case Word::kOutput:
      return note_output(rank, message.value, message.payload);
    case Word::kTaken:
      return input_.note_taken(static_cast<std::size_t>(message.value));
    default:
      return on_confusion(rank, "has an agent that says what this upcrun does not understand");
  }
}

void Job::note_started(unsigned rank, const Message& message) {
  processes_[rank].pid = message.value;
  if (!plan_.options.verbose) return;
  say("rank " + std::to_string(rank) + ": pid " + std::to_string(message.value) + ", host " +
      remotes_->host(rank) + ", " + plan_.threads_of(rank) + ", " + std::string(message.payload));
}

void Job::note_output(unsigned rank, int stream, std::string_view bytes) {
  processes_[rank].untaken += static_cast<int>(bytes.size());
  output_.take_remote(processes_[rank].streams[stream == 2 ? 1 : 0], bytes.data(), bytes.size());
}

// Lets the agents go on as far as our own reader has taken what came.
void Job::acknowledge_output() {
  for (unsigned rank = 0; rank < size_; ++rank) {
    Process& process = processes_[rank];
    control_.flush(rank);
    if (process.untaken == 0 || !output_.remote_has_room(process.streams[0]) ||
        !output_.remote_has_room(process.streams[1]))
      continue;
    remotes_->tell(rank, Word::kTaken, process.untaken);
    process.untaken = 0;
  }
}

void Job::on_lost(unsigned rank) {
  control_.add(rank, nullptr);
  Process& process = processes_[rank];
  if (rank == 0) input_.stop();
  if (over(process) || ending_) return;
  process.exited = true;
  process.lost = true;
  process.wait_status = 1 << 8;
  if (starter_.ended()) return judge_starter();
  suspect(rank, "cannot be reached any more: its host is gone, or the agent that started it was killed",
          kLostGrace);
}

void Job::handle_starter_words() {
  for (const std::string& line : starter_.read())
    if (plan_.options.verbose && !line.empty()) say("mpirun: " + line);
}

// mpirun has ended. All is well if no process is missing.
void Job::judge_starter() {
  handle_starter_words();
  if (plan_.options.verbose) say(starter_.end_in_words());
  if (ending_ || released_) return;
  unsigned missing = 0, unheard = 0;
  for (unsigned rank = 0; rank < size_; ++rank) {
    missing += !over(processes_[rank]) || troubled(processes_[rank]) ? 1 : 0;
    unheard += remotes_->has_come(rank) ? 0 : 1;
  }
  if (missing == 0) return;
  const std::string what =
      unheard != 0 ? std::to_string(unheard) + " of " + std::to_string(size_) + " processes were not started"
                   : std::to_string(missing) + " of " + std::to_string(size_) + " processes had not ended";
  const std::string said = plan_.options.verbose ? "" : starter_.said();
  std::string message = "upcrun: " + starter_.end_in_words() + " while " + what;
  for (unsigned rank = 0; rank < size_; ++rank)
    if (processes_[rank].lost) message += "; " + who(rank) + " is gone";
  if (!said.empty()) message += "; it said:\n" + said.substr(0, said.find_last_not_of('\n') + 1);
  fail(starter_.status() != 0 ? starter_.status() : 1, message);
}

// The job ends: the agents see to it, each for its program.
void Job::end_remote_processes() {
  input_.stop();
  if (!remotes_) return;
  remotes_->tell_agents(Word::kEnd);
  kill_at_ = now_ms() + kAgentsGrace;
  if (remotes_->connected() == 0) force_remote_end();  // mpirun is still busy starting, or hangs
}

// What has not ended although it should have. First mpirun is asked, then nobody is.
void Job::force_remote_end() {
  if (!ending_ && !starter_told_)
    say("all processes have ended, but mpirun has not within " + std::to_string(kStarterPatience / 1000) +
        " s after them; it is told to");
  kill_at_ = now_ms() + kStarterGrace;
  if (starter_.running() && !starter_told_) {
    starter_told_ = true;
    (void)::kill(starter_.pid(), SIGTERM);
    return;
  }
  signal_descendants(SIGKILL);
  remotes_->drop_all();
  for (unsigned rank = 0; rank < size_; ++rank) control_.add(rank, nullptr);
  kill_at_ = now_ms() + 20;
}

// Everything has ended: the agents may go, and mpirun with them.
void Job::release_agents() {
  if (released_) return;
  released_ = true;
  remotes_->tell_agents(Word::kRelease);
}

bool Job::remote_over() {
  if (!remotes_) return true;  // not even mpirun was started
  const bool trouble = std::any_of(processes_.begin(), processes_.end(), troubled);
  if (all_over() && (ending_ || !trouble)) release_agents();
  if (released_ && !ending_ && kill_at_ == 0 && remotes_->connected() == 0 && starter_.running())
    kill_at_ = now_ms() + kStarterPatience;
  return (ending_ || released_) && remotes_->connected() == 0 && !starter_.running();
}

}  // namespace upcrun
