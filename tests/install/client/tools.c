/* SPDX-License-Identifier: BSD-3-Clause */
/* A client of gasnet_tools.h alone. */
#include <gasnet_tools.h>

int main(void) {
    char buf[32];
    printf("tools %s, %s: %s\n", gasnett_tick_overheadus() > 0 ? "tick" : "stand still",
#ifdef GASNETT_THREAD_SAFE
           "threads",
#else
           "no threads",
#endif
           gasnett_format_number(gasnett_parse_int("1.5G", 1), buf, sizeof buf, 1));
    return 0;
}
