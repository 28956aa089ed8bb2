// SPDX-License-Identifier: BSD-3-Clause
// Around the program's main(): mupcc links with --wrap=main, so that what the C library's start-up code calls
// is this. Alone in this file: programs that are linked in another way do not get it.
#include "mupc.h"
#include "upcr/init.h"

extern "C" int __real_main(int argc, char** argv, char** environment);
// Translated for upcr: main() is upcc's, which starts the runtime by itself.
extern "C" int user_main(int argc, char** argv) __attribute__((weak));

extern "C" int __wrap_main(int argc, char** argv, char** environment) {
  if (user_main != nullptr) return __real_main(argc, argv, environment);
  _UPCRTS_init();
  const int status = __real_main(argc, argv, environment);
  _UPCRTS_fini();
  upcr_exit(status);
}
