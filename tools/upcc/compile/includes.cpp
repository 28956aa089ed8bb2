// SPDX-License-Identifier: BSD-3-Clause
// See includes.hpp.
#include "tools/upcc/compile/includes.hpp"

#include <algorithm>
#include <filesystem>

#include "tools/upcc/base/install.hpp"

namespace upcc {
namespace {

namespace fs = std::filesystem;

// Headers of another runtime, whose contents upcr.h provides.
bool is_private_header(const std::string& base) {
  return base == "upcr_config.h" || base == "portable_platform.h" || base == "gasnet_portable_platform.h";
}

bool is_upcr_header(const std::string& name) {
  const Arguments& dirs = install().include_dirs;
  return std::any_of(dirs.begin(), dirs.end(),
                     [&name](const std::string& d) { return fs::exists(fs::path(d) / name); });
}

// Whether C11, POSIX or the GNU C library has a header that programs include by this name.
bool is_system_header(const std::string& name) {
  static const Arguments kNames = {
      "assert.h",    "complex.h",    "ctype.h",       "errno.h",        "fenv.h",        "float.h",
      "inttypes.h",  "iso646.h",     "limits.h",      "locale.h",       "math.h",        "setjmp.h",
      "signal.h",    "stdalign.h",   "stdarg.h",      "stdatomic.h",    "stdbool.h",     "stddef.h",
      "stdint.h",    "stdio.h",      "stdlib.h",      "stdnoreturn.h",  "string.h",      "tgmath.h",
      "threads.h",   "time.h",       "uchar.h",       "wchar.h",        "wctype.h",      "aio.h",
      "alloca.h",    "cpio.h",       "dirent.h",      "dlfcn.h",        "endian.h",      "err.h",
      "error.h",     "execinfo.h",   "fcntl.h",       "features.h",     "fmtmsg.h",      "fnmatch.h",
      "ftw.h",       "getopt.h",     "glob.h",        "grp.h",          "iconv.h",       "langinfo.h",
      "libgen.h",    "malloc.h",     "memory.h",      "monetary.h",     "mqueue.h",      "ndbm.h",
      "netdb.h",     "nl_types.h",   "omp.h",         "poll.h",         "pthread.h",     "pwd.h",
      "regex.h",     "sched.h",      "search.h",      "semaphore.h",    "spawn.h",       "strings.h",
      "stropts.h",   "syslog.h",     "tar.h",         "termios.h",      "trace.h",       "ulimit.h",
      "unistd.h",    "utime.h",      "utmpx.h",       "values.h",       "wordexp.h",     "arpa/inet.h",
      "net/if.h",    "netinet/in.h", "netinet/tcp.h", "sys/file.h",     "sys/ioctl.h",   "sys/ipc.h",
      "sys/mman.h",  "sys/msg.h",    "sys/param.h",   "sys/resource.h", "sys/select.h",  "sys/sem.h",
      "sys/shm.h",   "sys/socket.h", "sys/stat.h",    "sys/statvfs.h",  "sys/sysinfo.h", "sys/time.h",
      "sys/timeb.h", "sys/times.h",  "sys/types.h",   "sys/uio.h",      "sys/un.h",      "sys/utsname.h",
      "sys/wait.h"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// The last component of a path and its last two: "stat.h", "sys/stat.h".
std::pair<std::string, std::string> last_components(const fs::path& path) {
  const std::string base = path.filename().string();
  return {base, path.parent_path().filename().string() + "/" + base};
}

}  // namespace

std::string resolve_include(const std::string& name, const Arguments& user_dirs) {
  const fs::path path = name.substr(1, name.size() - 2);
  if (!path.is_absolute()) return name;
  const auto [base, two] = last_components(path);
  const std::string folder = path.parent_path().filename().string();
  if (is_private_header(base)) return "<upcr/compat/" + base + ">";
  if (folder == "upcr_preinclude" || folder == "upcr_geninclude" || folder == "upcr_postinclude") {
    if (is_upcr_header(two)) return "<" + two + ">";
    if (is_upcr_header("upcr_preinclude/" + base)) return "<upcr_preinclude/" + base + ">";
    return "<" + base + ">";
  }
  if (base == "upcr.h" || base == "upcr_proxy.h" || base == "whirl2c.h") return "<" + base + ">";
  std::error_code ignored;
  if (fs::exists(path, ignored)) return name;
  if (is_system_header(two)) return "<" + two + ">";
  if (is_system_header(base)) return "<" + base + ">";
  for (const std::string& dir : user_dirs)
    for (const std::string& tail : {two, base})
      if (fs::exists(fs::path(dir) / tail, ignored)) return "\"" + tail + "\"";
  return name;  // the compiler reports that there is no such header
}

}  // namespace upcc
