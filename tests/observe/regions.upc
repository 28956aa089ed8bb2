/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions that a program marks: one in another, one again, moments, and none while counting is off. */
#include <pupc.h>
#include <upc.h>

shared int words[THREADS];

int main(void) {
    const unsigned outer = pupc_create_event("outer", "the whole"), inner = pupc_create_event("inner", "a part");
    const unsigned moment = pupc_create_event("moment", "without duration");
    upc_barrier;
    pupc_event_start(outer);
    for (int i = 0; i < 3; ++i) {
        pupc_event_start(inner, i);
        words[(MYTHREAD + 1) % THREADS] = i;
        pupc_event_end(inner, i);
        pupc_event_atomic(moment);
    }
    pupc_event_end(outer);
    pupc_control(0);
    pupc_event_start(inner);
    pupc_event_end(inner);
    pupc_event_atomic(moment);
    pupc_control(1);
    pupc_event_atomic(moment);
    upc_barrier;
    return 0;
}
