// SPDX-License-Identifier: BSD-3-Clause
// Signals: terminating ones become SIGQUIT, which the client may catch and which otherwise ends the job;
// fatal ones are reported by base/report/signal_report in GASNet's words; two more are for debugging.
// Handlers run on any thread.
#include "conduits/api/gasnet/state/signals.hpp"

#include <signal.h>
#include <strings.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/environment.hpp"
#include "conduits/core/base/report/backtrace.hpp"
#include "conduits/core/base/report/debugger.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/signal_report.hpp"
#include "conduits/core/base/system/text.hpp"
#include "include/gasnet/tools/environment.h"
#include "include/gasnet/tools/errors.h"

namespace upcr::gasnet {
namespace {

struct SignalName {
  int number;
  const char* name;
};
constexpr SignalName kNames[] = {
    {SIGABRT, "SIGABRT"}, {SIGILL, "SIGILL"},   {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},
    {SIGFPE, "SIGFPE"},   {SIGQUIT, "SIGQUIT"}, {SIGINT, "SIGINT"},   {SIGTERM, "SIGTERM"},
    {SIGHUP, "SIGHUP"},   {SIGPIPE, "SIGPIPE"}, {SIGUSR1, "SIGUSR1"}, {SIGUSR2, "SIGUSR2"},
    {SIGCONT, "SIGCONT"}, {SIGTSTP, "SIGTSTP"}, {SIGALRM, "SIGALRM"}, {SIGIO, "SIGIO"},
};

// A forked child is no node: it dies of the signal as if there were no handler.
bool left_to_forked_child(int number) {
  if (!in_forked_child()) return false;
  (void)signal(number, SIG_DFL);
  (void)raise(number);  // when the handler returns
  return true;
}

void on_quit(int number) {
  if (!left_to_forked_child(number)) gasnet_exit(1);
}

void on_terminating(int number) {
  if (left_to_forked_child(number)) return;
  static std::atomic_flag seen = ATOMIC_FLAG_INIT;
  char buf[128];
  SafeText text(buf, sizeof buf);
  text.add("*** Caught a signal: ")
      .add(signal_name(number))
      .add("(")
      .add_number(static_cast<unsigned>(number));
  text.add(") on node ").add_number(gasneti_state.mynode).add("/").add_number(gasneti_state.nodes).end_line();
  write_all(STDERR_FILENO, text.data(), text.size());
  if (seen.test_and_set()) _exit(1);
  (void)raise(SIGQUIT);
}

void on_backtrace(int) { print_backtrace(); }
void on_freeze(int) { wait_for_debugger("GASNET_FREEZE_SIGNAL", &gasnet_frozen, "gasnet_frozen"); }

// Unless the signal is ignored or caught already.
void catch_signal(int number, void (*handler)(int), bool always = false) {
  struct sigaction now {
  }, mine{};
  if (sigaction(number, nullptr, &now) != 0) return;
  if (!always && ((now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL)) return;
  mine.sa_handler = handler;
  mine.sa_flags = SA_ONSTACK | SA_RESTART;
  sigemptyset(&mine.sa_mask);
  (void)sigaction(number, &mine, nullptr);
}

void catch_configured(const char* variable, void (*handler)(int)) {
  const char* text = job_getenv(variable);
  if (text == nullptr || *text == '\0') return;
  gasnett_envstr_display(variable, text, 0);
  const int number = signal_number(text);
  if (number == 0) fatal("%s=%s: expected a signal, as SIGUSR1 or 10", variable, text);
  catch_signal(number, handler, true);
}

}  // namespace

const char* signal_name(int number) {
  for (const SignalName& n : kNames)
    if (n.number == number) return n.name;
  return "a signal";
}

int signal_number(const char* text) {
  for (const SignalName& n : kNames)
    if (strcasecmp(text, n.name) == 0 || strcasecmp(text, n.name + 3) == 0) return n.number;
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  return end != text && *end == '\0' && number > 0 && number < NSIG ? static_cast<int>(number) : 0;
}

bool is_excluded(int signal) {
  const char* list = job_getenv("GASNET_NO_CATCH_SIGNAL");
  if (list == nullptr) return false;
  const std::string all = list;
  for (std::size_t at = 0; at <= all.size();) {
    const std::size_t comma = std::min(all.find(',', at), all.size());
    const std::string item = all.substr(at, comma - at);
    if (item == "*" || (!item.empty() && signal_number(item.c_str()) == signal)) return true;
    at = comma + 1;
  }
  return false;
}

bool client_catches_quit() {
  struct sigaction now {};
  if (sigaction(SIGQUIT, nullptr, &now) != 0) return false;
  if ((now.sa_flags & SA_SIGINFO) != 0) return true;
  return now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN && now.sa_handler != on_quit;
}

void install_signals() {
  const char* list = job_getenv("GASNET_NO_CATCH_SIGNAL");
  gasnett_envstr_display("GASNET_NO_CATCH_SIGNAL", list, list == nullptr);
  install_signal_reports(nullptr);
  if (!is_excluded(SIGQUIT)) catch_signal(SIGQUIT, on_quit);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
    if (!is_excluded(number)) catch_signal(number, on_terminating);
  catch_configured("GASNET_BACKTRACE_SIGNAL", on_backtrace);
  catch_configured("GASNET_FREEZE_SIGNAL", on_freeze);
}

}  // namespace upcr::gasnet
