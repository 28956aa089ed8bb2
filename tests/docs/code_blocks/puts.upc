/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/how-to/debugging.md: puts of 16 bytes to the other thread, many enough for a fault to meet one. */
#include <upc_relaxed.h>

shared [16] char words[16 * THREADS];

int main(void) {
    const char text[16] = "fifteen letters";
    upc_barrier;
    for (int i = 0; i < 200 && MYTHREAD == 0; i++) upc_memput(&words[16], text, sizeof text);
    upc_barrier;
    return 0;
}
