// SPDX-License-Identifier: BSD-3-Clause
// The headers of the system as its own compiler preprocesses them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/upc2c/support/source.hpp"

namespace {

const char* const kHeaders[] = {
    "aio.h",         "arpa/inet.h", "assert.h",      "complex.h",  "cpio.h",         "ctype.h",
    "dirent.h",      "dlfcn.h",     "errno.h",       "fcntl.h",    "fenv.h",         "float.h",
    "fmtmsg.h",      "fnmatch.h",   "ftw.h",         "glob.h",     "grp.h",          "iconv.h",
    "inttypes.h",    "iso646.h",    "langinfo.h",    "libgen.h",   "limits.h",       "locale.h",
    "math.h",        "monetary.h",  "mqueue.h",      "net/if.h",   "netdb.h",        "netinet/in.h",
    "netinet/tcp.h", "nl_types.h",  "poll.h",        "pthread.h",  "pwd.h",          "regex.h",
    "sched.h",       "search.h",    "semaphore.h",   "setjmp.h",   "signal.h",       "spawn.h",
    "stdalign.h",    "stdarg.h",    "stdatomic.h",   "stdbool.h",  "stddef.h",       "stdint.h",
    "stdio.h",       "stdlib.h",    "stdnoreturn.h", "string.h",   "strings.h",      "syslog.h",
    "sys/epoll.h",   "sys/ipc.h",   "sys/mman.h",    "sys/msg.h",  "sys/resource.h", "sys/select.h",
    "sys/sem.h",     "sys/shm.h",   "sys/socket.h",  "sys/stat.h", "sys/statvfs.h",  "sys/time.h",
    "sys/times.h",   "sys/types.h", "sys/uio.h",     "sys/un.h",   "sys/utsname.h",  "sys/wait.h",
    "tar.h",         "termios.h",   "tgmath.h",      "threads.h",  "time.h",         "uchar.h",
    "ulimit.h",      "unistd.h",    "utime.h",       "utmpx.h",    "wchar.h",        "wctype.h",
    "wordexp.h"};

void expect_parsed(const std::string& text, const std::string& options) {
  Checked parsed(preprocessed("", options, text), "headers.c");
  EXPECT_EQ(parsed.messages(), "") << text << options;
  EXPECT_GE(parsed.items.size(), 1u);
}

TEST(Headers, OfTheCLibraryOneByOne) {
  for (const char* header : kHeaders)
    expect_parsed("#include <" + std::string(header) + ">\nint end;\n", "-D_GNU_SOURCE");
}

TEST(Headers, OfTheCLibraryTogether) {
  std::string all;
  for (const char* header : kHeaders) all += "#include <" + std::string(header) + ">\n";
  all += "int end;\n";
  for (const char* options : {"-std=gnu99 -D_GNU_SOURCE", "-std=gnu11",
                              "-std=gnu17 -O2 -D_FORTIFY_SOURCE=2 -D_GNU_SOURCE", "-O2 -std=c99", "-std=c11"})
    expect_parsed(all, options);
}

// Their functions have bodies, which are read if they are not in a system header.
TEST(Headers, OfTheCLibraryAsUserText) {
  std::string text = preprocessed(
      "", "-O2 -D_FORTIFY_SOURCE=2 -D_GNU_SOURCE -P",
      "#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\n#include <byteswap.h>\n#include <wchar.h>\nint end;\n");
  Checked parsed(text, "user.c");
  EXPECT_EQ(parsed.messages(), "");
}

TEST(Headers, AsClangPreprocessesThem) {
  if (system("clang --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "clang is not installed";
  std::string all;
  for (const char* header : kHeaders) all += "#include <" + std::string(header) + ">\n";
  Checked parsed(preprocessed_by("clang", "", "-D_GNU_SOURCE -O2", all + "int end;\n"), "clang.c");
  EXPECT_EQ(parsed.messages(), "");
}

TEST(Headers, Intrinsics) {
#if defined(__x86_64__)
  expect_parsed("#include <immintrin.h>\nint end;\n", "-O2");
  Checked parsed(preprocessed("", "-O2 -P", "#include <immintrin.h>\nint end;\n"), "user.c");
  EXPECT_EQ(parsed.messages(), "");
#endif
}

TEST(Headers, OfMpi) {
  for (const char* folder :
       {"/usr/lib/x86_64-linux-gnu/openmpi/include", "/usr/include/x86_64-linux-gnu/mpich"})
    if (std::filesystem::exists(std::string(folder) + "/mpi.h"))
      expect_parsed("#include <mpi.h>\nint end;\n", "-I" + std::string(folder));
}

TEST(Headers, OfTheUpcLibraryAndTheExamples) {
  for (const std::string& file : example_programs()) {
    Checked parsed(preprocessed(file, upc_options()), file);
    EXPECT_EQ(parsed.diagnostics.errors(), 0u) << parsed.messages();
  }
  for (const char* header :
       {"upc.h", "upc_relaxed.h", "upc_strict.h", "upc_collective.h", "upc_io.h", "upc_nb.h", "upc_atomic.h",
        "upc_castable.h", "upc_tick.h", "bupc_extensions.h", "bupc_collectivev.h", "pupc.h"}) {
    Checked parsed(preprocessed("", upc_options(),
                                "#include <upc.h>\n#include <" + std::string(header) + ">\nint end;\n"),
                   header);
    EXPECT_EQ(parsed.messages(), "") << header;
  }
}

}  // namespace
