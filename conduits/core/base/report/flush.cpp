// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/base/report/flush.hpp"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/report_state.hpp"
#include "conduits/core/base/system/helper_thread.hpp"

namespace upcr {
namespace {

// Why standard output could not be written: the C library drops such output, and does not keep the cause.
std::atomic<int> output_error{0};

void flush_output() {
  if (ftrylockfile(stdout) != 0) return;
  if (std::fflush(stdout) != 0) output_error.store(errno);
  funlockfile(stdout);
}

// A pipe or socket: a failed write may mean that the reader has closed its end.
bool may_have_lost_reader(int fd) {
  struct stat st;
  return fstat(fd, &st) != 0 || S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
}

void* flush(void*) {
  flush_output();
  std::fflush(nullptr);
  return nullptr;
}

}  // namespace

int status_after_output(int status) {
  flush_output();
  int error = output_error.load();
  const bool lost = error != 0 || (ferror_unlocked(stdout) != 0 && !may_have_lost_reader(STDOUT_FILENO));
  // It failed in the program's own call; another write to a device may fail with the same cause.
  if (lost && error == 0 && write(STDOUT_FILENO, "", 0) < 0) error = errno;
  if (!lost || error == EPIPE || error == EBADF) return status;
  char buf[512], cause[128];
  SafeText text(buf, sizeof buf);
  text.add(client_api().error_prefix).add("cannot write standard output: ");
  text.add(error != 0 ? strerror_r(error, cause, sizeof cause) : "some of it could not be written before");
  add_identity(text, true);
  text.end_line();
  write_all(STDERR_FILENO, text.data(), text.size());
  constexpr int kOutputFailed = 74;  // EX_IOERR
  return status != 0 ? status : kOutputFailed;
}

bool flush_all_files() {
  pthread_t helper;
  if (start_helper_thread(&helper, HelperStack::kClient, flush, nullptr) != 0) return false;
  timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  ++deadline.tv_sec;
  return pthread_timedjoin_np(helper, nullptr, &deadline) == 0;
}

}  // namespace upcr
