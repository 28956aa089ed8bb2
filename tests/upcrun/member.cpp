// SPDX-License-Identifier: BSD-3-Clause
// A member of a job that uses the bootstrap directly: the scripts of this folder run it under upcrun.
// `member ACTION [RANK [VALUE]]`; ranks other than RANK wait for the end of the job.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/bootstrap/launcher/make_bootstrap.hpp"

namespace {

using upcr::Bootstrap;

// Whether all ranks have the same host, and so the same files.
bool on_one_host(Bootstrap& job) {
  constexpr std::size_t kBytes = 256;
  std::vector<char> mine(kBytes), all(kBytes * job.size());
  (void)::gethostname(mine.data(), kBytes - 1);
  job.allgather(mine.data(), kBytes, all.data());
  for (unsigned r = 0; r < job.size(); ++r)
    if (std::memcmp(all.data() + r * kBytes, mine.data(), kBytes) != 0) return false;
  return true;
}

// The last rank arrives when the first one has polled, which creates a file then; no rank leaves before.
int check_polling_barrier(Bootstrap& job) {
  if (!on_one_host(job)) {
    job.polling_barrier([] {});
    return 0;
  }
  const char* folder = std::getenv("TMPDIR");
  const std::string polled = std::string(folder != nullptr ? folder : "/tmp") + "/polled-" + job.job_id();
  const std::string arrived = polled + "-arrived";
  const bool is_last = job.rank() == job.size() - 1;
  if (is_last && job.rank() != 0) {
    while (::access(polled.c_str(), F_OK) != 0) ::usleep(1000);
    ::close(::creat(arrived.c_str(), 0600));
  }
  job.polling_barrier([&] {
    if (job.rank() == 0) ::close(::creat(polled.c_str(), 0600));
  });
  const bool early = job.size() > 1 && ::access(arrived.c_str(), F_OK) != 0;
  job.barrier();
  if (job.rank() == 0) {
    ::unlink(polled.c_str());
    ::unlink(arrived.c_str());
  }
  return early ? 1 : 0;
}

// All operations that start-up makes on the bootstrap, with sizes around the packet size.
int check_collectives(Bootstrap& job) {
  for (const std::size_t bytes : {0ul, 1ul, 8ul, 65535ul, 65536ul, 65537ul, 300000ul}) {
    std::vector<unsigned char> mine(bytes), all(bytes * job.size());
    for (std::size_t i = 0; i < bytes; ++i) mine[i] = static_cast<unsigned char>(i * 7 + job.rank());
    job.allgather(mine.data(), bytes, all.data());
    for (unsigned r = 0; r < job.size(); ++r)
      for (std::size_t i = 0; i < bytes; ++i)
        if (all[r * bytes + i] != static_cast<unsigned char>(i * 7 + r)) {
          std::printf("rank %u: byte %zu of rank %u is wrong (%zu each)\n", job.rank(), i, r, bytes);
          return 1;
        }
    job.barrier();
  }
  std::string id(64, '\0'), ids(64 * job.size(), '\0');
  job.job_id().copy(id.data(), 64);
  job.allgather(id.data(), 64, ids.data());
  for (unsigned r = 0; r < job.size(); ++r)
    if (ids.compare(r * 64, 64, id) != 0) return 2;
  return check_polling_barrier(job) == 0 ? 0 : 3;
}

// As start-up at a large scale: some bytes of each, read where they are. Larger tables are shared. Prints the
// file of the one that all ranks keep.
int check_tables(Bootstrap& job) {
  struct Entry {
    unsigned rank, twice;
    char more[167];
  };
  Entry mine{job.rank(), 2 * job.rank(), {}};
  const upcr::Table kept = job.gather(&mine, sizeof mine);
  for (unsigned round = 0; round < 3; ++round) {
    const upcr::Table table = job.gather(&mine, sizeof mine);
    if (table.bytes() != sizeof mine * job.size()) return 1;
    if (job.size() > 1 && table.shared() != (table.bytes() > 4096)) return 2;
    for (unsigned r = 0; r < job.size(); ++r)
      if (table.of<Entry>()[r].rank != r || table.of<Entry>()[r].twice != 2 * r) return 3;
  }
  for (const std::size_t bytes : {0, 1, 100'000}) {
    const unsigned root = job.size() / 2;
    std::string text = std::to_string(root);
    text.resize(bytes, 'x');
    if (job.broadcast(root, job.rank() == root ? text : "of another") != text) return 4;
  }
  char line[512] = "no file";
  std::FILE* const maps = std::fopen("/proc/self/maps", "r");
  while (std::fgets(line, sizeof line, maps) != nullptr && std::strstr(line, "upcr-table") == nullptr) {
  }
  std::fclose(maps);
  unsigned long inode = 0;
  char access[8] = "";
  (void)std::sscanf(line, "%*s %7s %*s %*s %lu", access, &inode);
  std::printf("table %lu %s\n", inode, access);
  job.barrier();
  return 0;
}

void print_shape(const Bootstrap& job) {
  const upcr::JobShape& shape = upcr::job_shape();
  std::printf("rank %u of %u: threads %u of %u from %u, launcher %d, given %d %d\n", job.rank(), job.size(),
              shape.threads_of(job.rank()), shape.threads, shape.first_thread(job.rank()),
              shape.from_launcher, shape.threads_given, shape.pthreads_given);
}

[[noreturn]] void wait_forever() {
  for (;;) ::pause();
}

// Abnormal ends of the chosen rank. Returns only if the action has had no effect.
void end_abnormally(Bootstrap& job, const std::string& action, int value) {
  if (action == "global-exit") job.global_exit(value);
  if (action == "abort") job.abort(value);
  if (action == "_exit") _exit(value);
  if (action == "signal") ::raise(value);
  if (action == "close") ::close_range(3, ~0u, 0);
  if (action == "exec") ::execlp("sh", "sh", "-c", "exit 0", nullptr);
  if (action == "exec-sleep") ::execlp("sleep", "sleep", "1000", nullptr);
}

// An error on another thread of the chosen rank, whose report takes so many seconds. Another rank ends the
// job with 0 meanwhile.
class SlowError {
 public:
  static void run(Bootstrap& job, bool mine, bool ends, unsigned seconds) {
    the_job = &job;
    report_seconds = seconds;
    if (mine) {
      static upcr::ClientApi api = upcr::client_api();
      api.backtrace = write_slowly;
      api.end_job = [](int status) { the_job->abort(status); };
      upcr::set_client_api(&api);
      std::thread([] { upcr::fatal("the last error"); }).detach();
      while (!reporting) ::usleep(1000);
    }
    job.barrier();
    if (ends) job.global_exit(0);
    wait_forever();
  }

 private:
  static void write_slowly() {
    reporting = true;
    ::sleep(report_seconds);
    (void)!::write(2, "all of it\n", 10);
  }

  static inline Bootstrap* the_job;
  static inline std::atomic<bool> reporting{false};
  static inline unsigned report_seconds;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string action = argc > 1 ? argv[1] : "";
  const unsigned chosen = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 0;
  const int value = argc > 3 ? std::atoi(argv[3]) : 0;
  const auto job = upcr::make_bootstrap(argc, argv);
  const bool mine = job->rank() == chosen;
  const rlimit no_core{0, 0};
  (void)::setrlimit(RLIMIT_CORE, &no_core);

  if (action == "shape")
    print_shape(*job);
  else if (action == "name")
    std::printf("%s\n", argv[0]);
  else if (action == "collectives") {
    if (const int bad = check_collectives(*job)) job->global_exit(bad);
  } else if (action == "tables") {
    if (const int bad = check_tables(*job)) job->global_exit(bad);
  } else if (action == "status") {
    job->finalize();
    return static_cast<int>(job->rank()) == value ? 0 : static_cast<int>(job->rank()) + 10;
  } else if (action == "buffered") {  // output that is not flushed, on every rank
    std::setvbuf(stdout, nullptr, _IOFBF, 4096);
    std::printf("buffered line of %u\n", job->rank());
    job->barrier();
    if (mine) job->global_exit(value);
    wait_forever();
  } else if (action == "locked-stdio") {  // the flush at the end blocks
    flockfile(stdout);
    job->barrier();
    if (mine) {
      funlockfile(stdout);
      job->global_exit(value);
    }
    wait_forever();
  } else if (action == "hook") {
    job->on_job_exit([](int status) { (void)!::write(1, status == 5 ? "hook 5\n" : "hook ?\n", 7); });
    job->barrier();
    if (mine) job->global_exit(5);
    wait_forever();
  } else if (action == "wait") {
    job->barrier();
    std::printf("ready\n");
    wait_forever();
  } else if (action == "streams") {  // writes to both streams in turn
    for (int i = 0; i < 20; ++i) {
      std::printf("%u out %d\n", job->rank(), i);
      std::fprintf(stderr, "%u err %d\n", job->rank(), i);
    }
  } else if (action == "system") {  // VALUE is not used: the command comes after it
    if (mine && std::system(argv[4]) != 0) job->global_exit(1);
  } else if (action == "reading") {  // the others read standard input while the chosen one ends the job
    if (!mine) std::printf("before the answer\n");
    job->barrier();
    if (mine) {
      ::usleep(100000);
      job->global_exit(value);
    }
    (void)std::getchar();
    wait_forever();
  } else if (action == "unflushed") {
    std::setvbuf(stdout, nullptr, _IOFBF, 4096);
    (void)!::write(1, "ready\n", 6);
    std::printf("unflushed\n");
    wait_forever();
  } else if (action == "hold-stdio") {
    std::printf("ready\n");
    flockfile(stdout);
    wait_forever();
  } else if (action == "file") {
    std::fputs("not flushed\n", std::fopen(argv[4], "w"));
    std::printf("ready\n");
    wait_forever();
  } else if (action == "late") {
    job->barrier();
    if (!mine) job->barrier();
    wait_forever();
  } else if (action == "wrong-collective") {
    char byte = 0, all[16];
    if (!mine) job->barrier();
    job->allgather(&byte, 1, all);
  } else if (action == "slow-error") {
    SlowError::run(*job, mine, job->rank() == (chosen + 1) % job->size(), static_cast<unsigned>(value));
  } else if (action == "peer-lost") {  // the others report that they cannot reach the chosen one
    job->barrier();
    if (!mine) job->await_death_report(chosen);
    job->barrier();
  } else if (action == "fork") {  // a child of the program is not a member of the job
    job->barrier();
    if (mine && ::fork() == 0) job->abort(9);
    job->barrier();
  } else {
    job->barrier();
    if (mine) end_abnormally(*job, action, value);
    job->barrier();  // never completes
    wait_forever();
  }
  job->finalize();
  return 0;
}
