// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/library/session.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/net/mpi/library/launcher.hpp"
#include "conduits/net/mpi/library/quiesce.hpp"

namespace upcr::mpi {
namespace {

LogComponent log_mpi("mpi");

// Open MPI's plugins are not linked with its libraries and expect them in the global scope. This module was
// loaded with RTLD_LOCAL, and so were they.
void publish_library() {
#ifdef OPEN_MPI
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&MPI_Init_thread), &info) == 0 || info.dli_fname == nullptr)
    return;
  if (::dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD) == nullptr)
    UPCR_LOG(log_mpi, kWarn, "%s cannot be made global (%s); Open MPI may miss its plugins", info.dli_fname,
             ::dlerror());
#endif
}

// With several network devices UCX makes a connection over each of two. Only the first one is certain to have
// been used in both directions at the end (quiesce.hpp), so if the user has chosen TCP one is the default.
void prefer_one_connection() {
#ifdef MPICH_VERSION
  const char* transports = std::getenv("UCX_TLS");
  if (transports != nullptr && std::strstr(transports, "tcp") != nullptr)
    (void)::setenv("UCX_MAX_RNDV_LANES", "1", 0);
#endif
}

// MPICH has just made stdout unbuffered, which would write a line in pieces, mixed with those of other
// processes.
void keep_lines_whole() {
#ifndef OPEN_MPI
  static char buffer[BUFSIZ];
  struct stat st;
  if (::fstat(STDOUT_FILENO, &st) == 0 && !S_ISREG(st.st_mode))
    (void)std::setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
#endif
}

}  // namespace

const char* library_version() noexcept {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  if (text[0] == '\0') {
    int length = 0;
    if (MPI_Get_library_version(text, &length) != MPI_SUCCESS) std::strcpy(text, "MPI");
    text[std::strcspn(text, ",\n")] = '\0';
    for (char* c = text; *c != '\0'; ++c)
      if (*c == '\t') *c = ' ';
  }
  return text;
}

const char* thread_level_name(int level) noexcept {
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "MPI_THREAD_MULTIPLE";
  }
}

Session& session() noexcept {
  static Session the_session;
  return the_session;
}

void Session::open() {
  if (users_++ != 0) return;
  int initialized = 0, finalized = 0;
  check(MPI_Finalized(&finalized), "MPI_Finalized");
  if (finalized != 0)
    fatal("MPI was finalized before the job could use it; start the job before calling MPI_Finalize");
  check(MPI_Initialized(&initialized), "MPI_Initialized");
  if (initialized != 0) {
    check(MPI_Query_thread(&level_), "MPI_Query_thread");
  } else {
    publish_library();
    prefer_one_connection();
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level_), "MPI_Init_thread");
    ours_ = true;
    keep_lines_whole();
  }
  int rank = 0, size = 1;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
  find_launcher();
  rank_ = static_cast<Rank>(rank);
  size_ = static_cast<Rank>(size);
  UPCR_LOG(log_mpi, kInfo, "%s, %s, process %u of %u, initialised by %s", library_version(),
           thread_level_name(level_), rank_, size_, ours_ ? "upcr" : "the program");
}

void Session::close() {
  if (users_ == 0 || --users_ != 0) return;
  int finalized = 0;
  check(MPI_Finalized(&finalized), "MPI_Finalized");
  if (finalized != 0) return;
  quiesce_before_finalize();
  if (ours_) check(MPI_Finalize(), "MPI_Finalize");
}

void wait_with_yield(MPI_Request* request, const char* operation) {
  for (int done = 0;;) {
    check(MPI_Test(request, &done, MPI_STATUS_IGNORE), operation);
    if (done != 0) return;
    ::sched_yield();
  }
}

MPI_Comm duplicate_world() {
  MPI_Comm copy = MPI_COMM_NULL;
  check(MPI_Comm_dup(MPI_COMM_WORLD, &copy), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return copy;
}

void fail(int code, const char* operation, int peer) {
  char text[MPI_MAX_ERROR_STRING] = "no text for this error";
  int length = 0;
  (void)MPI_Error_string(code, text, &length);
  if (peer == kNoPeer) fatal("%s failed: %s (MPI error %d, %s)", operation, text, code, library_version());
  fatal("%s with rank %d failed: %s (MPI error %d, %s); is that process still running?", operation, peer,
        text, code, library_version());
}

}  // namespace upcr::mpi
