// SPDX-License-Identifier: BSD-3-Clause
// The watcher on this machine's own kernel: every way in which a program can take pages from an address is
// noticed before the call returns, and nothing else is. Skipped if the kernel allows no userfaultfd.
#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <link.h>
#include <linux/userfaultfd.h>
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
#include "conduits/net/ibv/memory/mappings.hpp"
#include "conduits/net/ibv/memory/program_data.hpp"
#include "conduits/net/ibv/memory/unmap_watch.hpp"

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
  void forget() { count = 0; }

  struct Range {
    std::uintptr_t begin, end;
  };
  static constexpr unsigned kMaxRanges = 256;
  Range ranges[kMaxRanges];
  std::atomic<unsigned> count{0};
};

class UnmapWatchTest : public testing::Test {
 public:
  void SetUp() override {
    const char* why = nullptr;
    watch = UnmapWatch::get(&why);
    if (watch == nullptr) GTEST_SKIP() << "no userfaultfd: " << why;
    watch->add(notes);
  }
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
  UnmapWatch* watch = nullptr;
};

TEST_F(UnmapWatchTest, Munmap) {
  char* at = map(8);
  ASSERT_TRUE(watched(at, 8 * kPage));
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

TEST_F(UnmapWatchTest, MapOverIt) {
  char* at = map(4);
  ASSERT_TRUE(watched(at, 4 * kPage));
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

TEST_F(UnmapWatchTest, MremapMoves) {
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
TEST_F(UnmapWatchTest, MremapGrowsAndShrinks) {
  char* at = map(32);
  munmap(at + 16 * kPage, 16 * kPage);
  ASSERT_TRUE(watched(at + 3 * kPage, kPage));
  notes.forget();
  char* grown = static_cast<char*>(mremap(at, 16 * kPage, 24 * kPage, MREMAP_MAYMOVE));
  ASSERT_NE(grown, MAP_FAILED) << std::strerror(errno);
  settle();
  EXPECT_EQ(notes.notified(at, 16 * kPage), grown != at);
  ASSERT_TRUE(watched(grown, 24 * kPage));
  notes.forget();
  ASSERT_EQ(mremap(grown, 24 * kPage, 8 * kPage, 0), grown);
  settle();
  EXPECT_TRUE(notes.notified(grown + 8 * kPage, 16 * kPage));
  EXPECT_FALSE(notes.notified(grown, kPage));
  munmap(grown, 8 * kPage);
}

TEST_F(UnmapWatchTest, Madvise) {
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

TEST_F(UnmapWatchTest, HarmlessCallsAreNotReported) {
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
  EXPECT_EQ(notes.count.load(), 0u);
  EXPECT_EQ(at[0], 7);
  munmap(at, 8 * kPage);
}

TEST_F(UnmapWatchTest, Brk) {
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

TEST_F(UnmapWatchTest, MallocReuse) {
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

TEST_F(UnmapWatchTest, StacksCanBeWatched) {
  char here[3 * 4096];
  ASSERT_TRUE(watched(here, sizeof here));
  EXPECT_EQ(notes.count.load(), 0u);
  std::thread([this] {
    char there[3 * 4096];
    std::memset(there, 1, sizeof there);
    EXPECT_TRUE(watched(there, sizeof there));
  }).join();  // its library discards the stack, and waits for the watcher to have seen it
  settle();
}

TEST_F(UnmapWatchTest, ReadOnlyMemory) {
  char* at = map(2);
  mprotect(at, 2 * kPage, PROT_READ);
  ASSERT_TRUE(watched(at, 2 * kPage));
  munmap(at, 2 * kPage);
  settle();
  EXPECT_TRUE(notes.notified(at, 2 * kPage));
}

TEST_F(UnmapWatchTest, FilesAndSharedMemoryCannotBeWatched) {
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

// Initialised data, with .bss behind it or not.
[[gnu::used]] char program_data[8 * 4096] = {1};
[[gnu::used]] char program_bss[8 * 4096];

TEST_F(UnmapWatchTest, TheProgramsOwnDataNeedNoWatching) {
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
  EXPECT_FALSE(is_program_data(reinterpret_cast<std::uintptr_t>(&stdout),
                               reinterpret_cast<std::uintptr_t>(data) + 100 * kPage));
  const auto library = reinterpret_cast<std::uintptr_t>(dlsym(RTLD_NEXT, "_IO_2_1_stdout_"));
  ASSERT_NE(library, 0u);
  EXPECT_FALSE(is_program_data(library, library + 1)) << "dlclose() unmaps a library's";
}

TEST_F(UnmapWatchTest, TheProgramsOwnUserfaultfdIsLeftAlone) {
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

TEST_F(UnmapWatchTest, HugePages) {
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
TEST_F(UnmapWatchTest, AddressesThatAnotherThreadIsStillUnmapping) {
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
    do {
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

}  // namespace
}  // namespace upcr::ibv
