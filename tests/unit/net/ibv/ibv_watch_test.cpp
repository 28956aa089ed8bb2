// SPDX-License-Identifier: BSD-3-Clause
// Both watches on this machine's own kernel and C library: every way in which a program can take pages from
// an address is noticed before the call returns, and nothing else is. Those of userfaultfd are skipped if the
// kernel allows none, those of hooks where a sanitizer makes them impossible.
#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <link.h>
#include <linux/userfaultfd.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/net/ibv/watch/listeners.hpp"
#include "conduits/net/ibv/watch/mappings.hpp"
#include "conduits/net/ibv/watch/process_watch.hpp"
#include "conduits/net/ibv/watch/program_data.hpp"

namespace upcr::ibv {
namespace {

const std::size_t kPage = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

// Keeps the events in a fixed array: a listener must not allocate.
class Notes final : public ChangeListener {
 public:
  void changed(std::uintptr_t begin, std::uintptr_t end) noexcept override {
    const unsigned nth = count.load();
    if (nth < kMaxRanges) ranges[nth] = {begin, end};
    count.store(nth + 1);
  }
  bool notified(const void* at, std::size_t bytes) const {
    const auto a = reinterpret_cast<std::uintptr_t>(at);
    std::size_t known = 0;  // ranges of one call come in order
    for (unsigned i = 0; i < std::min(count.load(), kMaxRanges); ++i)
      if (ranges[i].begin <= a + known && a + known < ranges[i].end) known = ranges[i].end - a;
    return known >= bytes;
  }
  // Has any of these bytes been reported?
  bool touched(const void* at, std::size_t bytes) const {
    const auto a = reinterpret_cast<std::uintptr_t>(at);
    for (unsigned i = 0; i < std::min(count.load(), kMaxRanges); ++i)
      if (ranges[i].begin < a + bytes && a < ranges[i].end) return true;
    return false;
  }
  void forget() { count = 0; }

  struct Range {
    std::uintptr_t begin, end;
  };
  static constexpr unsigned kMaxRanges = 256;
  Range ranges[kMaxRanges];
  std::atomic<unsigned> count{0};
};

// With each value of UPCR_IBV_WATCH that asks for a watch of its own.
class WatchTest : public testing::TestWithParam<const char*> {
 public:
  void SetUp() override {
    std::string why;
    watch = process_watch(GetParam(), &why);
    if (watch == nullptr) {
      // The only reason for which there may be no hooks where this test runs.
      if (by_hooks()) ASSERT_NE(why.find("sanitizer"), std::string::npos) << why;
      GTEST_SKIP() << why;
    }
    ASSERT_STREQ(watch->name(), GetParam());
    watch->add(notes);
  }
  static bool by_hooks() { return std::strcmp(GetParam(), "hooks") == 0; }
  void TearDown() override {
    if (watch != nullptr) watch->remove(notes);
  }
  char* map(std::size_t pages, int protection = PROT_READ | PROT_WRITE,
            int flags = MAP_PRIVATE | MAP_ANONYMOUS) {
    void* at = mmap(nullptr, pages * kPage, protection, flags, -1, 0);
    EXPECT_NE(at, MAP_FAILED);
    if ((protection & PROT_WRITE) != 0) std::memset(at, 1, pages * kPage);
    return static_cast<char*>(at);
  }
  // events_drained() returns false while the watcher does not run.
  void settle() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!watch->events_drained())
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "the watcher is stuck";
  }
  bool watched(const void* at, std::size_t bytes) {
    const auto a = reinterpret_cast<std::uintptr_t>(at);
    settle();
    return watch->watch(a / kPage * kPage, (a + bytes + kPage - 1) / kPage * kPage);
  }

  Notes notes;
  ProcessWatch* watch = nullptr;
};

TEST_P(WatchTest, Munmap) {
  char* at = map(8);
  ASSERT_TRUE(watched(at, 8 * kPage));
  notes.forget();
  munmap(at + 2 * kPage, kPage);
  settle();
  EXPECT_TRUE(notes.notified(at + 2 * kPage, kPage));
  EXPECT_FALSE(notes.notified(at + kPage, kPage));
  EXPECT_FALSE(notes.notified(at + 3 * kPage, kPage));
  EXPECT_FALSE(watched(at, 8 * kPage)) << "there is a hole";
  EXPECT_TRUE(watched(at, 2 * kPage));
  munmap(at, 8 * kPage);
  settle();
  EXPECT_TRUE(notes.notified(at, 2 * kPage));
  EXPECT_TRUE(notes.notified(at + 3 * kPage, 5 * kPage));
}

// What a listener is told of is not made yet; when the call has returned it is, which only the hooks know.
TEST_P(WatchTest, ChangesAreMadeWhenTheCallHasReturned) {
  class Asks final : public ChangeListener {
   public:
    explicit Asks(ChangeWatch& w) : watch_(w) {}
    void changed(std::uintptr_t, std::uintptr_t) noexcept override {
      told = true;
      if (watch_.changes_are_made()) made = true;
    }
    std::atomic<bool> told{false}, made{false};

   private:
    ChangeWatch& watch_;
  };
  Asks asks(*watch);
  watch->add(asks);
  char* const at = map(4);
  ASSERT_TRUE(watched(at, 4 * kPage));
  ASSERT_EQ(munmap(at, 4 * kPage), 0);
  settle();
  EXPECT_TRUE(asks.told);
  EXPECT_FALSE(asks.made);
  EXPECT_EQ(watch->changes_are_made(), by_hooks());
  ASSERT_TRUE(watch->remove(asks));
}

TEST_P(WatchTest, MapOverIt) {
  char* at = map(4);
  ASSERT_TRUE(watched(at, 4 * kPage));
  notes.forget();
  ASSERT_EQ(mmap(at + kPage, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
            at + kPage);
  settle();
  EXPECT_TRUE(notes.notified(at + kPage, kPage));
  EXPECT_FALSE(notes.notified(at, kPage));
  // The new mapping is not watched by itself.
  notes.forget();
  ASSERT_TRUE(watched(at, 4 * kPage));
  munmap(at, 4 * kPage);
  settle();
  EXPECT_TRUE(notes.notified(at, 4 * kPage));
}

TEST_P(WatchTest, MremapMoves) {
  char* at = map(4);
  ASSERT_TRUE(watched(at, 4 * kPage));
  char* to = map(16);
  notes.forget();
  ASSERT_EQ(mremap(at, 4 * kPage, 16 * kPage, MREMAP_MAYMOVE | MREMAP_FIXED, to), to);
  settle();
  EXPECT_TRUE(notes.notified(at, 4 * kPage));
  notes.forget();
  munmap(to, 4 * kPage);  // it took its watcher along
  settle();
  EXPECT_TRUE(notes.notified(to, 4 * kPage));
  munmap(to, 16 * kPage);
}

// A watch must not hinder a program that grows and shrinks its mapping, whatever part of it has been asked
// for.
TEST_P(WatchTest, MremapGrowsAndShrinks) {
  char* at = map(32);
  munmap(at + 16 * kPage, 16 * kPage);
  ASSERT_TRUE(watched(at + 3 * kPage, kPage));
  notes.forget();
  char* grown = static_cast<char*>(mremap(at, 16 * kPage, 24 * kPage, MREMAP_MAYMOVE));
  ASSERT_NE(grown, MAP_FAILED) << std::strerror(errno);
  settle();
  if (grown != at) EXPECT_TRUE(notes.notified(at, 16 * kPage));
  // Hooks tell before the kernel decides where it goes.
  if (grown == at && !by_hooks()) EXPECT_FALSE(notes.touched(at, 16 * kPage));
  ASSERT_TRUE(watched(grown, 24 * kPage));
  notes.forget();
  ASSERT_EQ(mremap(grown, 24 * kPage, 8 * kPage, 0), grown);
  settle();
  EXPECT_TRUE(notes.notified(grown + 8 * kPage, 16 * kPage));
  EXPECT_FALSE(notes.notified(grown, kPage));
  munmap(grown, 8 * kPage);
}

TEST_P(WatchTest, Madvise) {
  char* at = map(8);
  ASSERT_TRUE(watched(at, 8 * kPage));
  notes.forget();
  madvise(at + kPage, kPage, MADV_DONTNEED);
  settle();
  EXPECT_TRUE(notes.notified(at + kPage, kPage));
  EXPECT_FALSE(notes.notified(at, kPage));
  madvise(at + 3 * kPage, kPage, MADV_FREE);
  settle();
  EXPECT_TRUE(notes.notified(at + 3 * kPage, kPage));
  // It is still watched.
  munmap(at, 8 * kPage);
  settle();
  EXPECT_TRUE(notes.notified(at, 8 * kPage));
}

TEST_P(WatchTest, HarmlessCallsAreNotReported) {
  char* at = map(8);
  ASSERT_TRUE(watched(at, 8 * kPage));
  notes.forget();
  mprotect(at, 4 * kPage, PROT_READ);
  mprotect(at, 4 * kPage, PROT_READ | PROT_WRITE);
  madvise(at, 8 * kPage, MADV_WILLNEED);
  std::memset(at, 7, 8 * kPage);
  EXPECT_EQ(at[8 * kPage - 1], 7);
  const pid_t child = fork();
  if (child == 0) {
    at[0] = 8;
    munmap(at, 8 * kPage);  // its own copy; no listener is notified, and no thread waits
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  settle();
  EXPECT_FALSE(notes.touched(at, 8 * kPage));
  // Hooks see fork()'s own mappings, too.
  if (!by_hooks()) EXPECT_EQ(notes.count.load(), 0u);
  EXPECT_EQ(at[0], 7);
  munmap(at, 8 * kPage);
}

TEST_P(WatchTest, Brk) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer owns the heap";
#endif
  char* const old = static_cast<char*>(sbrk(0));
  char* const at =
      reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(old) + kPage - 1) / kPage * kPage);
  ASSERT_EQ(brk(at + 8 * kPage), 0);
  std::memset(at, 1, 8 * kPage);
  ASSERT_TRUE(watched(at, 8 * kPage));
  ASSERT_EQ(brk(at + 16 * kPage), 0);
  ASSERT_TRUE(watched(at, 16 * kPage)) << "two mappings now";
  notes.forget();
  ASSERT_EQ(brk(at), 0);
  settle();
  EXPECT_TRUE(notes.notified(at, 16 * kPage));
  EXPECT_FALSE(notes.notified(at - kPage, kPage));
  ASSERT_EQ(brk(old), 0);
}

TEST_P(WatchTest, MallocReuse) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer owns the heap";
#endif
  for (unsigned i = 0; i < 50; ++i) {
    const std::size_t bytes = 1 << 20;
    char* at = static_cast<char*>(std::malloc(bytes));
    ASSERT_TRUE(watched(at, bytes));
    notes.forget();
    std::free(at);
    settle();
    const bool gone = notes.notified(at + kPage, bytes - 2 * kPage);
    // Freed memory has been unmapped and reported, or it is still mapped and unchanged.
    Mapping mapping;
    const auto inside = reinterpret_cast<std::uintptr_t>(at) / kPage * kPage + kPage;
    EXPECT_TRUE(gone || mappings_of(inside, inside + kPage, &mapping, 1) == 1);
  }
}

TEST_P(WatchTest, StacksCanBeWatched) {
  char here[3 * 4096];
  ASSERT_TRUE(watched(here, sizeof here));
  EXPECT_FALSE(notes.touched(here, sizeof here));
  std::thread([this] {
    char there[3 * 4096];
    std::memset(there, 1, sizeof there);
    EXPECT_TRUE(watched(there, sizeof there));
  }).join();  // its library discards the stack, and waits for the watcher to have seen it
  settle();
}

TEST_P(WatchTest, ReadOnlyMemory) {
  char* at = map(2);
  mprotect(at, 2 * kPage, PROT_READ);
  ASSERT_TRUE(watched(at, 2 * kPage));
  munmap(at, 2 * kPage);
  settle();
  EXPECT_TRUE(notes.notified(at, 2 * kPage));
}

TEST_P(WatchTest, FilesAndSharedMemoryCannotBeWatched) {
  static const char constant[] = "in the program's file";
  EXPECT_FALSE(watched(constant, sizeof constant));
  const int fd = memfd_create("test", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(fd, static_cast<off_t>(4 * kPage)), 0);
  void* file = mmap(nullptr, 4 * kPage, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  EXPECT_FALSE(watched(file, 4 * kPage));
  munmap(file, 4 * kPage);
  close(fd);
  char* shared = map(4, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS);
  EXPECT_FALSE(watched(shared, 4 * kPage));
  munmap(shared, 4 * kPage);
  EXPECT_FALSE(watched(shared, 4 * kPage)) << "nothing is there";
}

// The linker's name for the end of the program's data.
extern "C" char _end;

// Initialised data, with .bss behind it or not.
[[gnu::used]] char program_data[8 * 4096] = {1};
[[gnu::used]] char program_bss[8 * 4096];

TEST_P(WatchTest, TheProgramsOwnDataNeedNoWatching) {
  const auto page_of = [](const char* at) {
    return const_cast<char*>(at) + kPage - reinterpret_cast<std::uintptr_t>(at) % kPage;
  };
  char* data = page_of(program_data);
  EXPECT_TRUE(watched(data, 4 * kPage));
  EXPECT_TRUE(watched(page_of(program_bss), 4 * kPage));
  mprotect(data, kPage, PROT_READ);
  EXPECT_FALSE(watched(data, kPage)) << "could be written again, on other pages";
  mprotect(data, kPage, PROT_READ | PROT_WRITE);
  EXPECT_TRUE(watched(data, kPage));
  EXPECT_TRUE(is_program_data(reinterpret_cast<std::uintptr_t>(data),
                              reinterpret_cast<std::uintptr_t>(data) + kPage));
  EXPECT_FALSE(is_program_data(reinterpret_cast<std::uintptr_t>(&_DYNAMIC),
                               reinterpret_cast<std::uintptr_t>(&_DYNAMIC) + 1))
      << "read-only after the start";
  EXPECT_FALSE(is_program_data(reinterpret_cast<std::uintptr_t>(data),
                               reinterpret_cast<std::uintptr_t>(&_end) + kPage))
      << "goes beyond it";
  const auto library = reinterpret_cast<std::uintptr_t>(dlsym(RTLD_NEXT, "_IO_2_1_stdout_"));
  ASSERT_NE(library, 0u);
  EXPECT_FALSE(is_program_data(library, library + 1)) << "dlclose() unmaps a library's";
}

TEST_P(WatchTest, TheProgramsOwnUserfaultfdIsLeftAlone) {
  if (by_hooks()) GTEST_SKIP() << "they do not concern each other";
  const int fd = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | 1));
  ASSERT_GE(fd, 0);
  uffdio_api api{};
  api.api = UFFD_API;
  ASSERT_EQ(ioctl(fd, UFFDIO_API, &api), 0);
  char* at = map(4);
  uffdio_register what{};
  what.range = {reinterpret_cast<std::uintptr_t>(at), 4 * kPage};
  what.mode = UFFDIO_REGISTER_MODE_MISSING;
  ASSERT_EQ(ioctl(fd, UFFDIO_REGISTER, &what), 0);
  EXPECT_FALSE(watched(at, 4 * kPage));
  close(fd);
  EXPECT_TRUE(watched(at, 4 * kPage));
  munmap(at, 4 * kPage);
}

TEST_P(WatchTest, HugePages) {
  constexpr std::size_t kHuge = 2 << 20;
  void* at = mmap(nullptr, kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
  if (at == MAP_FAILED) GTEST_SKIP() << "this machine has no huge pages set aside";
  std::memset(at, 1, kHuge);
  if (!watched(static_cast<char*>(at) + kPage, kPage)) {
    munmap(at, kHuge);
    GTEST_SKIP() << "this kernel does not watch huge pages";
  }
  munmap(at, kHuge);
  settle();
  EXPECT_TRUE(notes.notified(at, kHuge));
}

// The kernel gives an address to another thread before munmap of it has returned, even before the watcher has
// read the event. events_drained() must not return true then.
TEST_P(WatchTest, AddressesThatAnotherThreadIsStillUnmapping) {
  constexpr std::size_t kPages = 16;
  std::atomic<char*> to_unmap{nullptr};
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop.load()) {
      char* at = to_unmap.exchange(nullptr);
      if (at != nullptr)
        munmap(at, kPages * kPage);
      else
        std::this_thread::yield();
    }
  });
  unsigned reused = 0;
  for (unsigned i = 0; i < 2000; ++i) {
    void* at = mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_TRUE(watched(at, kPages * kPage));
    notes.forget();
    to_unmap = static_cast<char*>(at);
    // Until the address is free: then it has been unmapped, and this thread has it.
    void* again;
    unsigned tries = 0;
    do {
      if (++tries > 100) std::this_thread::yield();  // the other thread may need this processor
      again = mmap(at, kPages * kPage, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    } while (again == MAP_FAILED);
    ASSERT_EQ(again, at);
    if (watch->events_drained()) {
      ++reused;
      ASSERT_TRUE(notes.notified(at, kPages * kPage)) << "round " << i;
    }
    munmap(at, kPages * kPage);
  }
  stop = true;
  other.join();
  EXPECT_GT(reused, 0u);
}

// The allocator's own calls, from free() in many threads, reuse addresses all the time. What a thread has
// just allocated and asked to be watched has not been reported since, and is reported when it goes.
TEST_P(WatchTest, ThreadsThatAllocateAndFree) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer owns the heap";
#endif
  // One for each thread: a flag that says whether its own memory has been reported.
  class Mine final : public ChangeListener {
   public:
    void changed(std::uintptr_t begin, std::uintptr_t end) noexcept override {
      if (begin >= last.load() || first.load() >= end) return;
      reported = true;
      if (pthread_equal(pthread_self(), owner) != 0) reported_by_owner = true;
    }
    std::atomic<std::uintptr_t> first{0}, last{0};
    std::atomic<bool> reported{false};
    // By a call of the thread itself: the next mapping of another thread at these addresses is reported, too.
    std::atomic<bool> reported_by_owner{false};
    std::atomic<pthread_t> owner{};
  };
  constexpr unsigned kThreads = 4;
  constexpr std::size_t kBytes = 1 << 20;
  Mine mine[kThreads];
  for (Mine& one : mine) watch->add(one);
  ASSERT_EQ(mallopt(M_MMAP_THRESHOLD, kBytes / 2), 1);  // free() unmaps each
  std::atomic<unsigned> wrong{0}, checked{0};
  std::vector<std::thread> threads;
  for (Mine& one : mine)
    threads.emplace_back([&] {
      one.owner = pthread_self();
      for (unsigned i = 0; i < 200; ++i) {
        char* at = static_cast<char*>(std::malloc(kBytes));
        const auto first = (reinterpret_cast<std::uintptr_t>(at) / kPage + 1) * kPage;
        const auto last = first + kBytes - 2 * kPage;
        one.first = first;
        one.last = last;
        settle();  // another thread may still be unmapping what was there before
        one.reported = one.reported_by_owner = false;
        // Sometimes it cannot be watched: the kernel has joined it with the memory of a thread that frees
        // just now.
        const bool good = watched(at, kBytes);
        at[0] = at[kBytes - 1] = 1;
        settle();
        // The kernel sends the event of an unmapping after the addresses can be had again, so that of another
        // thread may come just now.
        if (one.reported && by_hooks()) ++wrong;
        std::free(at);
        settle();
        if (good && !(by_hooks() ? one.reported_by_owner : one.reported)) ++wrong;
        if (good) ++checked;
        one.last = 0;
        one.first = 0;
      }
    });
  for (std::thread& one : threads) one.join();
  for (Mine& one : mine) watch->remove(one);
  EXPECT_EQ(wrong.load(), 0u);
  EXPECT_GT(checked.load(), 0u);
}

TEST_P(WatchTest, MallocTrim) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer owns the heap";
#endif
  constexpr std::size_t kBytes = 16 * 4096;  // from the heap, not a mapping of its own
  std::vector<char*> blocks;
  for (unsigned i = 0; i < 64; ++i) blocks.push_back(static_cast<char*>(std::malloc(kBytes)));
  char* const hole = blocks[31];
  const auto inside = (reinterpret_cast<std::uintptr_t>(hole) / kPage + 1) * kPage;
  std::memset(hole, 1, kBytes);
  ASSERT_TRUE(watched(hole, kBytes));
  notes.forget();
  std::free(hole);
  blocks.erase(blocks.begin() + 31);
  EXPECT_FALSE(notes.touched(reinterpret_cast<void*>(inside), kBytes - 2 * kPage)) << "it is still mapped";
  malloc_trim(0);
  settle();
  EXPECT_TRUE(notes.notified(reinterpret_cast<void*>(inside), kBytes - 2 * kPage));
  for (char* block : blocks) std::free(block);
}

// A stack that its thread's library unmaps.
TEST_P(WatchTest, StackOfAThread) {
  constexpr std::size_t kStack = 64 << 20;  // more than the library keeps for the next thread
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kStack), 0);
  struct Place {
    WatchTest* test;
    std::uintptr_t page = 0;
    bool good = false;
  } place{this};
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, &attributes,
                [](void* argument) -> void* {
                  auto& p = *static_cast<Place*>(argument);
                  char here[3 * 4096];
                  std::memset(here, 1, sizeof here);
                  p.page = (reinterpret_cast<std::uintptr_t>(here) / kPage + 1) * kPage;
                  p.good = p.test->watched(here, sizeof here);
                  p.test->notes.forget();
                  return nullptr;
                },
                &place),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  settle();
  ASSERT_TRUE(place.good);
  EXPECT_TRUE(notes.notified(reinterpret_cast<void*>(place.page), kPage));
}

// The results and errno are those of the C library without a watch.
TEST_P(WatchTest, CallsBehaveAsBefore) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer ends a process that asks for nonsense";
#endif
  errno = 7;
  char* at = map(4);
  EXPECT_EQ(madvise(at, kPage, MADV_DONTNEED), 0);
  EXPECT_EQ(at[0], 0);
  EXPECT_EQ(munmap(at + 3 * kPage, kPage), 0);
  EXPECT_EQ(mremap(at, 3 * kPage, kPage, 0), at);
  EXPECT_EQ(errno, 7) << "kept where nothing fails";
  EXPECT_EQ(munmap(at + 1, kPage), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(munmap(at, 0), -1);
  EXPECT_EQ(errno, EINVAL);
  errno = 0;
  EXPECT_EQ(munmap(at, SIZE_MAX), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(mmap(nullptr, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 1), MAP_FAILED);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(mmap(nullptr, kPage, PROT_READ, MAP_PRIVATE, -1, 0), MAP_FAILED);
  EXPECT_EQ(errno, EBADF);
  EXPECT_EQ(mmap(at, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0), MAP_FAILED);
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(madvise(at, kPage, 12345), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(mremap(at, kPage, 2 * kPage, 1 << 10), MAP_FAILED);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(brk(reinterpret_cast<void*>(UINTPTR_MAX / 2)), -1);
  EXPECT_EQ(errno, ENOMEM);
  munmap(at, kPage);
  errno = 0;
  EXPECT_EQ(madvise(at, kPage, MADV_WILLNEED), -1);
  EXPECT_EQ(errno, ENOMEM);
}

// A file mapped from its middle, by a call with six arguments.
TEST_P(WatchTest, MapsFilesWithAnOffset) {
  const int fd = memfd_create("test", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(fd, static_cast<off_t>(4 * kPage)), 0);
  ASSERT_EQ(pwrite(fd, "x", 1, static_cast<off_t>(2 * kPage)), 1);
  char* file = static_cast<char*>(
      mmap(nullptr, kPage, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, static_cast<off_t>(2 * kPage)));
  ASSERT_NE(file, MAP_FAILED);
  EXPECT_EQ(file[0], 'x');
  munmap(file, kPage);
  close(fd);
}

// Uninitialised data of a library, which dlclose() unmaps by a call of the loader's own.
TEST_P(WatchTest, DataOfALibrary) {
  const auto data = reinterpret_cast<std::uintptr_t>(dlsym(RTLD_NEXT, "_IO_2_1_stdout_"));
  ASSERT_NE(data, 0u);
  EXPECT_TRUE(is_library_memory(data, data + 1));
  EXPECT_FALSE(is_library_memory(reinterpret_cast<std::uintptr_t>(program_bss),
                                 reinterpret_cast<std::uintptr_t>(program_bss) + 1));
  EXPECT_FALSE(is_library_memory(reinterpret_cast<std::uintptr_t>(&data),
                                 reinterpret_cast<std::uintptr_t>(&data) + 1));
  // What follows the initialised data of libc.so in memory.
  auto* const bss = static_cast<char*>(dlsym(RTLD_NEXT, "__curbrk"));
  if (by_hooks()) EXPECT_FALSE(watched(bss, 8));
}

// Calls that the C library does not make are not seen, but their addresses are not given out again unnoticed.
// A sanitizer's allocator may have taken them meanwhile, for the watching thread: then once more.
TEST_P(WatchTest, AddressesThatHaveBeenUnmappedUnseen) {
  char* at = nullptr;
  void* again = MAP_FAILED;
  for (int i = 0; i < 100 && again == MAP_FAILED; ++i) {
    at = map(8);
    ASSERT_TRUE(watched(at, 8 * kPage));
    notes.forget();
    ASSERT_EQ(syscall(SYS_munmap, at, 8 * kPage), 0);
    again = mmap(at, 8 * kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  }
  ASSERT_EQ(again, at);
  settle();
  EXPECT_TRUE(notes.notified(at, 8 * kPage));
  munmap(at, 8 * kPage);
}

// Has this page been reported? However many others have been.
class OnePage final : public ChangeListener {
 public:
  explicit OnePage(const void* at) : page_(reinterpret_cast<std::uintptr_t>(at)) {}
  void changed(std::uintptr_t begin, std::uintptr_t end) noexcept override {
    if (begin <= page_ && page_ < end) reported = true;
  }
  std::atomic<bool> reported{false};

 private:
  const std::uintptr_t page_;
};

// The kernel rounds the length of a mapping of huge pages up. (The hooks tell before it refuses it.)
TEST_P(WatchTest, HugePagesOverIt) {
  if (!by_hooks()) GTEST_SKIP() << "what the kernel announces is what it does";
  constexpr std::size_t kHuge = 2 << 20;
  char* const room = map(2 * kHuge / kPage);
  char* const at = room + (kHuge - reinterpret_cast<std::uintptr_t>(room) % kHuge) % kHuge;
  notes.forget();
  (void)mmap(at, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_HUGETLB, -1, 0);
  EXPECT_TRUE(notes.notified(at, kHuge));
  munmap(room, 2 * kHuge);
}

// A thread that never comes back from a listener, as after exit() in a handler of signals.
TEST(ChangeListeners, RemovalDoesNotWaitForEver) {
  class Stuck final : public ChangeListener {
   public:
    void changed(std::uintptr_t, std::uintptr_t) noexcept override {
      inside = true;
      while (!go_on) std::this_thread::yield();
    }
    std::atomic<bool> inside{false}, go_on{false};
  } stuck;
  ChangeListeners listeners;
  listeners.add(stuck);
  std::thread other([&] { listeners.notify(0, 1); });
  while (!stuck.inside) std::this_thread::yield();
  EXPECT_FALSE(listeners.remove(stuck));
  stuck.go_on = true;
  other.join();
  EXPECT_TRUE(listeners.remove(stuck));
  stuck.inside = false;
  listeners.notify(0, 1);
  EXPECT_FALSE(stuck.inside) << "it has been removed";
}

// Unmaps in a handler of signals while the thread is in malloc or in such calls itself.
char* handlers_memory = nullptr;
TEST_P(WatchTest, HandlersOfSignals) {
  constexpr unsigned kRounds = 200;
  struct sigaction action {
  }, before{};
  action.sa_handler = [](int) {
    void* at = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(at, 4096);
    if (handlers_memory != nullptr) munmap(handlers_memory, 4096);
    handlers_memory = nullptr;
  };
  ASSERT_EQ(sigaction(SIGUSR1, &action, &before), 0);
  std::atomic<bool> stop{false};
  const pthread_t main_thread = pthread_self();
  std::thread sender([&] {
    while (!stop) {
      pthread_kill(main_thread, SIGUSR1);
      std::this_thread::yield();
    }
  });
  char* at = map(1);
  ASSERT_TRUE(watched(at, kPage));
  OnePage page(at);
  watch->add(page);
  handlers_memory = at;
  for (unsigned i = 0; i < kRounds; ++i) std::free(std::malloc(4 << 20));
  while (*const_cast<char* volatile*>(&handlers_memory) != nullptr) std::this_thread::yield();
  stop = true;
  sender.join();
  ASSERT_EQ(sigaction(SIGUSR1, &before, nullptr), 0);
  settle();
  watch->remove(page);
  EXPECT_TRUE(page.reported);
}

INSTANTIATE_TEST_SUITE_P(By, WatchTest, testing::Values("userfaultfd", "hooks"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace upcr::ibv
