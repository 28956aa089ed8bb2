// SPDX-License-Identifier: BSD-3-Clause
// The same from C++, through the form that works with any number of pthreads.
#include <upcr.h>

#include <iostream>

static int program(int, char**) {
  const upcr_thread_t me = upcr_mythread(), n = upcr_threads();
  const upcr_shared_ptr_t slots = upcr_all_alloc(1, n * sizeof(unsigned));
  upcr_put_shared_val(slots, static_cast<ptrdiff_t>(me * sizeof(unsigned)), me + 1, sizeof(unsigned));
  upcr_barrier(1, 0);
  if (me == 0) {
    unsigned sum = 0;
    for (upcr_thread_t t = 0; t < n; ++t)
      sum += static_cast<unsigned>(
          upcr_get_shared_val(slots, static_cast<ptrdiff_t>(t * sizeof(unsigned)), sizeof(unsigned)));
    std::cout << "sum " << sum << " of " << n << " threads" << std::endl;
  }
  return 0;
}

int main(int argc, char** argv) {
  bupc_init_reentrant(&argc, &argv, &program);
  return 1;  // not reached
}
