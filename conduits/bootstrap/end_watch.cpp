// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/bootstrap/end_watch.hpp"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "conduits/base/report.hpp"
#include "conduits/base/text.hpp"
#include "conduits/bootstrap/control_thread.hpp"

namespace upcr {
namespace {

constexpr int kFlushMs = 1000;      // what a process may take to flush when the job ends
constexpr int kReadMs = 200;        // what the launcher may take to read it
constexpr long kKilledWithin = 10;  // seconds until a process that nobody kills ends by itself

enum Kind { kEnd = 1, kLeaving, kFlushed };
struct Word {
  std::uint32_t magic;
  std::int32_t kind, status;
};
constexpr std::uint32_t kMagic = 0x55504345;

// For the signal's handler, which has nothing else: whose process it is, and what wakes the control thread.
volatile pid_t watched_pid = 0;
volatile int signal_fd = -1;

void on_term(int) {
  const int error = errno;
  if (::getpid() == watched_pid) {
    const std::uint64_t one = 1;
    (void)!::write(signal_fd, &one, sizeof one);
  } else {  // a child that the program forked
    ::signal(SIGTERM, SIG_DFL);
    (void)::raise(SIGTERM);
  }
  errno = error;
}

void catch_term(int fd) {
  struct sigaction now {};
  if (::sigaction(SIGTERM, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 ||
      now.sa_handler != SIG_DFL)
    return;  // the program's, or not wanted
  watched_pid = ::getpid();
  signal_fd = fd;
  struct sigaction action {};
  action.sa_handler = on_term;
  action.sa_flags = SA_RESTART;
  (void)::sigaction(SIGTERM, &action, nullptr);
}

// The socket of a rank; a leading zero instead of a file.
sockaddr_un address_of(const std::string& job, Rank rank, socklen_t* length) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  SafeText name(address.sun_path + 1, sizeof address.sun_path - 1);
  name.add(job).add_number(rank);
  *length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

// Takes one word; false when there is none, or when it is a stranger's.
bool receive(int fd, Word* word, sockaddr_un* from, socklen_t* from_length) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))];
  iovec part{word, sizeof *word};
  msghdr message{};
  message.msg_name = from;
  message.msg_namelen = sizeof *from;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (::recvmsg(fd, &message, MSG_DONTWAIT) != sizeof *word || word->magic != kMagic) return false;
  *from_length = message.msg_namelen;
  const cmsghdr* c = CMSG_FIRSTHDR(&message);
  if (c == nullptr || c->cmsg_type != SCM_CREDENTIALS) return false;
  ucred sender;
  std::memcpy(&sender, CMSG_DATA(c), sizeof sender);
  return sender.uid == ::geteuid() || sender.uid == 0;
}

int make_socket() {
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  if (fd >= 0) (void)::setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
  return fd;
}

// A socket's queue is short (ten words), and whoever reads it is quick.
bool send_word(int fd, const std::string& job, Rank to, const Word& word) {
  socklen_t length;
  const sockaddr_un address = address_of(job, to, &length);
  const timespec moment{0, 1000000};
  for (int tries = 0; tries < 200; ++tries) {
    if (::sendto(fd, &word, sizeof word, MSG_DONTWAIT | MSG_NOSIGNAL,
                 reinterpret_cast<const sockaddr*>(&address), length) == sizeof word)
      return true;
    if (errno != EAGAIN && errno != EINTR) return false;
    ::nanosleep(&moment, nullptr);
  }
  return false;
}

// Until the launcher has read what this process wrote to it: one that is told to end the job may leave the
// rest in the pipes.
void wait_until_read() {
  const timespec moment{0, 1000000};
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat st;
    int unread = 0;
    if (::fstat(fd, &st) != 0 || !S_ISFIFO(st.st_mode)) continue;
    for (int ms = 0; ms < kReadMs && ::ioctl(fd, FIONREAD, &unread) == 0 && unread != 0; ++ms)
      ::nanosleep(&moment, nullptr);
  }
}

// Whose exit status is the worst of all processes': one that is killed would count as such.
bool started_by_srun() {
  return std::getenv("SLURM_STEP_NUM_TASKS") != nullptr && std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr &&
         std::getenv("HYDI_CONTROL_FD") == nullptr && std::getenv("MPI_LOCALNRANKS") == nullptr;
}

long now_ms() {
  timespec t;
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

}  // namespace

EndWatch::EndWatch(const std::string& job_id, Rank rank, Rank size, const Ends& ends)
    : name_("upcr-end-" + job_id + "-"),
      rank_(rank),
      size_(size),
      ends_(ends),
      each_by_itself_(started_by_srun()) {
  socklen_t length;
  const sockaddr_un address = address_of(name_, rank, &length);
  socket_ = make_socket();
  if (socket_ < 0 || ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), length) != 0)
    fatal_errno("cannot make the socket that tells this process of the job's end (descriptor %d)", socket_);
  wake_ = ::eventfd(0, EFD_CLOEXEC);
  if (wake_ < 0) fatal_errno("cannot make an event descriptor");
  catch_term(wake_);
  start_control_thread(&EndWatch::run, this);
}

void* EndWatch::run(void* self) {
  auto& watch = *static_cast<EndWatch*>(self);
  for (;;) {
    pollfd fds[2] = {{watch.socket_, POLLIN, 0}, {watch.wake_, POLLIN, 0}};
    if (::poll(fds, 2, -1) <= 0) continue;
    if ((fds[1].revents & POLLIN) != 0) watch.take_signal();
    if ((fds[0].revents & POLLIN) != 0) watch.take_word();
  }
}

void EndWatch::take_word() {
  Word word;
  sockaddr_un from{};
  socklen_t from_length = 0;
  if (!receive(socket_, &word, &from, &from_length)) return;
  if (word.kind == kLeaving) leaving_.fetch_add(1);
  if (word.kind != kEnd) return;
  if (!retired_.load()) end_by(word.status);
  const int status = word.status;
  word.kind = kFlushed;
  (void)::sendto(socket_, &word, sizeof word, MSG_DONTWAIT | MSG_NOSIGNAL,
                 reinterpret_cast<const sockaddr*>(&from), from_length);
  if (each_by_itself_ && !retired_.load()) end_orderly(status);
}

void EndWatch::end_by(int status) {
  if (ending_.test_and_set()) return;
  // The launcher's next signal kills at once; without a launcher the process goes by itself.
  if (signal_fd >= 0 && ::getpid() == watched_pid) ::signal(SIGTERM, SIG_DFL);
  die_soon(kKilledWithin);
  std::fflush(nullptr);
  if (ends_.ended != nullptr) ends_.ended(status);
  wait_until_read();
}

// The launcher ends this process. It dies of that signal, as it would have done without us.
void EndWatch::take_signal() {
  die_soon(kFlushMs / 1000);
  std::fflush(nullptr);
  if (!retired_.load() && !ending_.test_and_set() && ends_.ended != nullptr) ends_.ended(128 + SIGTERM);
  ::signal(SIGTERM, SIG_DFL);
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  (void)::raise(SIGTERM);
  pthread_sigmask(SIG_UNBLOCK, &term, nullptr);
  ::_exit(128 + SIGTERM);
}

// How many processes have a socket here, and have got the word.
unsigned EndWatch::send_to_all(int fd, int kind, int status) const {
  unsigned there = 0;
  for (Rank r = 0; r < size_; ++r)
    if (r != rank_) there += send_word(fd, name_, r, {kMagic, kind, status});
  return there;
}

void EndWatch::hear_end(int status) {
  // To itself, so that the control thread takes it.
  (void)send_word(socket_, name_, rank_, {kMagic, kEnd, status});
}

bool EndWatch::tell(int status) {
  (void)ending_.test_and_set();  // nobody need tell this process
  wait_until_read();
  const int fd = make_socket();
  sockaddr_un any{};
  any.sun_family = AF_UNIX;
  // A name of the kernel's choice, for the answers.
  if (fd < 0 || ::bind(fd, reinterpret_cast<const sockaddr*>(&any), sizeof any.sun_family) != 0) return false;
  const unsigned reached = send_to_all(fd, kEnd, status);
  const long deadline = now_ms() + kFlushMs;
  for (unsigned missing = reached; missing != 0;) {
    const long left = deadline - now_ms();
    pollfd poll_fd{fd, POLLIN, 0};
    if (left <= 0) break;
    if (::poll(&poll_fd, 1, static_cast<int>(left)) <= 0) continue;
    Word word;
    sockaddr_un from;
    socklen_t from_length;
    missing -= receive(fd, &word, &from, &from_length) && word.kind == kFlushed;
  }
  ::close(fd);
  return reached == size_ - 1;
}

void EndWatch::end_orderly(int status) {
  if (ends_.goodbye != nullptr) (void)ends_.goodbye();
  ::_exit(status);
}

bool EndWatch::leave_together(unsigned grace_ms) {
  (void)send_to_all(socket_, kLeaving, 0);
  const long deadline = now_ms() + static_cast<long>(grace_ms);
  const timespec moment{0, 1000000};
  while (leaving_.load() < size_ - 1) {
    if (now_ms() >= deadline) return false;
    ::nanosleep(&moment, nullptr);
  }
  return true;
}

}  // namespace upcr
