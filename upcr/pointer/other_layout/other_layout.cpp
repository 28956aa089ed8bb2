// SPDX-License-Identifier: BSD-3-Clause
// Refuses objects and programs whose pointers-to-shared have the other layout: see upcr/representation.h.
#include <sys/syscall.h>
#include <unistd.h>

#include "include/upcr/base.h"

#ifdef UPCRI_POINTER_packed
#  define OTHER_LAYOUT "struct"
#else
#  define OTHER_LAYOUT "packed"
#endif
#define TEXT_2(x) #x
#define TEXT(x) TEXT_2(x)
#define MISFIT                                                                          \
  "this program was compiled for pointers-to-shared of layout " OTHER_LAYOUT            \
  ", and this libupcr has layout " UPCRI_POINTER_LAYOUT                                 \
  ": compile and link all of it with the upcc (the headers) of this libupcr, or use a " \
  "libupcr that was configured with UPCR_POINTER_LAYOUT=" OTHER_LAYOUT

extern "C" {

// Called by the dynamic linker for a program that refers to the other layout's symbol: before main(), and
// perhaps before any constructor. So it is not instrumented, and uses system calls only.
__attribute__((used, no_stack_protector, no_sanitize("address"), no_sanitize("undefined"),
               no_sanitize("thread"))) static void (*refuse())() {
  static const char kText[] = "UPC Runtime error: " MISFIT "\n";
  ::syscall(SYS_write, 2, kText, sizeof kText - 1);
  ::syscall(SYS_exit_group, 1);
  return nullptr;
}
UPCRI_API void upcri_other_pointers() __attribute__((ifunc("refuse")));

}  // extern "C"

// One @: programs that were linked with a library of the other layout find the symbol, but the linker does
// not bind new programs to it.
__asm__(".symver upcri_other_pointers, upcri_pointers_" OTHER_LAYOUT
        "@UPCR_" TEXT(UPCR_VERSION_MAJOR) ", remove");
// The linker prints this for an object that refers to the other layout's symbol.
__asm__(".pushsection .gnu.warning.upcri_pointers_" OTHER_LAYOUT ",\"a\"\n.ascii \"" MISFIT
        "\"\n.popsection");
