// SPDX-License-Identifier: BSD-3-Clause
// Reports of fatal signals. The handler runs on the alternate stack of the thread that got the signal and
// uses async-signal-safe calls only.
#include "conduits/core/base/report/signal_report.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/debugger.hpp"
#include "conduits/core/base/report/report_state.hpp"
#include "conduits/core/base/system/cpu.hpp"

namespace upcr {
namespace {

using Describe = std::size_t (*)(const void*, char*, std::size_t);
constinit std::atomic<Describe> describe_fault{nullptr};
constinit std::atomic<void (*)(int) noexcept> crash_notice{nullptr};

struct SignalText {
  int number;
  const char* name;
  const char* meaning;
};
constexpr SignalText kSignals[] = {
    {SIGSEGV, "SIGSEGV", "invalid memory access"},
    {SIGBUS, "SIGBUS", "memory that cannot be had"},
    {SIGFPE, "SIGFPE", "arithmetic error"},
    {SIGILL, "SIGILL", "illegal instruction"},
    {SIGABRT, "SIGABRT", "abort"},
    {SIGQUIT, "SIGQUIT", "quit"},
    {SIGXFSZ, "SIGXFSZ", "a file would grow beyond the limit of 'ulimit -f'"},
};

struct CodeText {
  int number, code;
  const char* meaning;
};
constexpr CodeText kCodes[] = {
    {SIGSEGV, SEGV_MAPERR, "nothing is mapped there"},
    {SIGSEGV, SEGV_ACCERR, "the access is not permitted there"},
    {SIGSEGV, SI_KERNEL, "no process can have such an address (a wild pointer)"},
    {SIGBUS, BUS_ADRALN, "the address is misaligned"},
    {SIGBUS, BUS_ADRERR,
     "the host or its memory cgroup has no page for it, or the file behind it is shorter"},
    {SIGFPE, FPE_INTDIV, "integer division by zero"},
    {SIGFPE, FPE_INTOVF, "integer overflow"},
    {SIGFPE, FPE_FLTDIV, "floating-point division by zero"},
    {SIGFPE, FPE_FLTOVF, "floating-point overflow"},
    {SIGFPE, FPE_FLTUND, "floating-point underflow"},
    {SIGFPE, FPE_FLTINV, "invalid floating-point operation"},
    {SIGILL, ILL_ILLOPC, "illegal opcode"},
    {SIGILL, ILL_ILLOPN, "illegal operand"},
    {SIGILL, ILL_PRVOPC, "privileged opcode"},
};

const SignalText& text_of(int signal) noexcept {
  for (const SignalText& w : kSignals)
    if (w.number == signal) return w;
  static constexpr SignalText kUnknown{0, "a fatal signal", "unexpected"};
  return kUnknown;
}

bool has_address(int signal, const siginfo_t& info) noexcept {
  return info.si_code > 0 && info.si_code != SI_KERNEL && (signal == SIGSEGV || signal == SIGBUS);
}

// Where the thread was.
struct FaultContext {
  const void* instruction = nullptr;
  std::uintptr_t stack = 0;
};

FaultContext context_of(const void* context) noexcept {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return {reinterpret_cast<const void*>(registers.gregs[REG_RIP]),
          static_cast<std::uintptr_t>(registers.gregs[REG_RSP])};
#elif defined(__aarch64__)
  return {reinterpret_cast<const void*>(registers.pc), registers.sp};
#else
  (void)registers;
  return {};
#endif
}

// A fault next to the stack pointer: the stack ends there.
bool out_of_stack(int signal, const siginfo_t& info, const FaultContext& fault) noexcept {
  constexpr std::uintptr_t kBelow = 4096, kAbove = 1 << 20;  // a call's push; a large frame's variable
  if (signal != SIGSEGV || info.si_code <= 0 || fault.stack < kBelow) return false;
  return reinterpret_cast<std::uintptr_t>(info.si_addr) - (fault.stack - kBelow) < kBelow + kAbove;
}

void add_cause(SafeText& text, int signal, const siginfo_t& info, const FaultContext& fault) noexcept {
  const SignalText& about = text_of(signal);
  text.add(about.name).add(" (").add(about.meaning).add(")");
  if (info.si_code <= 0) {  // another process's kill(), or our own abort() or raise()
    if (info.si_pid == getpid())
      text.add(" raised by the program itself");
    else
      text.add(" sent by process ").add_number(static_cast<std::uint64_t>(info.si_pid));
    return;
  }
  if (has_address(signal, info))
    text.add(" at address ").add_address(reinterpret_cast<std::uintptr_t>(info.si_addr));
  for (const CodeText& c : kCodes)
    if (c.number == signal && c.code == info.si_code) text.add(": ").add(c.meaning);
  if (out_of_stack(signal, info, fault))
    text.add(
        ": the stack is exhausted (endless recursion, or automatic arrays beyond the limit of 'ulimit -s')");
  if (!has_address(signal, info)) return;
  const Describe describe = describe_fault.load(std::memory_order_acquire);
  char where[256];
  const std::size_t n = describe != nullptr ? describe(info.si_addr, where, sizeof where) : 0;
  if (n != 0) text.add(": ").add({where, std::min(n, sizeof where - 1)});
}

// Makes the signal pending again with its default action; it is delivered when the handler returns, with the
// registers and the siginfo of the fault, which a core dump should show.
void reraise(int signal, siginfo_t* info) noexcept {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  sigset_t blocked;  // until the handler returns
  sigemptyset(&blocked);
  sigaddset(&blocked, signal);
  pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  if (syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), signal, info) != 0) raise(signal);
}

// What the handler interrupted may read errno, until the process dies.
class KeptErrno {
 public:
  KeptErrno() = default;
  KeptErrno(const KeptErrno&) = delete;
  KeptErrno& operator=(const KeptErrno&) = delete;
  ~KeptErrno() { errno = error_; }

 private:
  const int error_ = errno;
};

void report_signal(int signal, siginfo_t* info, void* context) {
  const KeptErrno kept;
  if (is_forked_child()) return reraise(signal, info);
  if (signal != SIGQUIT) leave_error_to_another();
  const EndClaim claim = claim_error_end();
  if (signal == SIGQUIT && claim != EndClaim::kThisThread) return;  // the terminal and upcrun send it
  const FaultContext fault = context_of(context);
  char buf[1024];
  SafeText text(buf, sizeof buf);
  if (claim != EndClaim::kRecursive && client_api().signal_headline != nullptr) {
    text.skip(client_api().signal_headline(signal, text_of(signal).name, text.end(), text.left()));
    text.add("\n*** ");
    add_cause(text, signal, *info, fault);
    add_identity(text, true);
    text.end_line();
    write_all(STDERR_FILENO, text.data(), text.size());
  } else {
    if (claim == EndClaim::kRecursive)
      text.add("while reporting an error: ");  // the identity may be what crashed
    add_cause(text, signal, *info, fault);
    write_message({text.data(), text.size()}, claim != EndClaim::kRecursive, Colour::kError);
  }
  if (signal == SIGQUIT && claim == EndClaim::kThisThread && client_api().write_threads != nullptr)
    client_api().write_threads();
  if (claim == EndClaim::kOtherThread) wait_for_process_end();
  if (claim == EndClaim::kThisThread) {
    report_backtrace(fault.instruction, true);
    report_other_errors();
    freeze_on_error();
    if (const auto notify = crash_notice.load(std::memory_order_acquire); notify != nullptr) notify(signal);
  }
  reraise(signal, info);
}

// Is there no handler for the signal? A sanitizer's handlers are replaced: they do not know UPC threads.
bool is_free(int signal) noexcept {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
         now.sa_handler == SIG_DFL;
#endif
}

// The calling thread's alternate stack, with a guard page below.
class SignalStack {
 public:
  SignalStack() {
    stack_t now{};
    if (sigaltstack(nullptr, &now) == 0 && (now.ss_flags & SS_DISABLE) == 0) return;  // has one: keep it
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const long least = sysconf(_SC_MINSIGSTKSZ);  // of this CPU's register state
    const std::size_t usable = round_up(kUsable + static_cast<std::size_t>(std::max(least, 0L)), page);
    bytes_ = usable + page;
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory_ == MAP_FAILED) return;  // then a stack overflow is not reported
    mprotect(memory_, page, PROT_NONE);
    stack_t stack{};
    stack.ss_sp = static_cast<char*>(memory_) + page;
    stack.ss_size = usable;
    sigaltstack(&stack, nullptr);
  }
  ~SignalStack() {
    if (memory_ == MAP_FAILED) return;
    stack_t now{};
    sigaltstack(nullptr, &now);
    const char* mine = static_cast<char*>(memory_);
    if (now.ss_sp >= mine && now.ss_sp < mine + bytes_) {
      stack_t off{};
      off.ss_flags = SS_DISABLE;
      sigaltstack(&off, nullptr);
    }
    munmap(memory_, bytes_);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  static constexpr std::size_t kUsable = 64 << 10;
  void* memory_ = MAP_FAILED;
  std::size_t bytes_ = 0;
};

}  // namespace

void use_signal_stack() {
  static thread_local SignalStack stack;
  (void)stack;
}

void set_crash_notice(void (*notify)(int signal) noexcept) noexcept {
  crash_notice.store(notify, std::memory_order_release);
}

void install_signal_reports(Describe describe_address) {
  describe_fault.store(describe_address, std::memory_order_release);
  load_unwinder();
  use_signal_stack();
  struct sigaction action {};
  action.sa_sigaction = report_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // a crash inside the report is reported too
  sigemptyset(&action.sa_mask);
  for (const SignalText& w : kSignals)
    if (is_free(w.number) &&
        (client_api().catches_signal == nullptr || client_api().catches_signal(w.number)))
      sigaction(w.number, &action, nullptr);
}

}  // namespace upcr
