/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings in shared arrays: copied, compared, measured by pointers-to-shared. */
#include "check.h"
#include <string.h>
#include <ctype.h>
shared [32] char names[THREADS][32];
shared [] char msg[64];
shared const char hello[][4 * THREADS] = {"ab"};
shared [] char greeting[16] = "hello";
static size_t s_strlen(const shared [] char *s)
{
    const shared [] char *p = s;
    while (*p) p++;
    return p - s;
}
static void s_strcpy(shared [] char *d, const char *s)
{
    while ((*d++ = *s++) != '\0')
        ;
}
static int s_strcmp(shared [] const char *a, const char *b)
{
    for (; *a && *a == *b; a++, b++)
        ;
    return (unsigned char)*a - (unsigned char)*b;
}
int main(void)
{
    char buf[32], *q;
    shared [32] char *p;
    int i;
    sprintf(buf, "thread-%d", MYTHREAD);
    for (i = 0, p = names[MYTHREAD]; (*p = buf[i]); i++, p++) *p = toupper(*p);
    upc_barrier;
    for (i = 0; i < THREADS; i++) {
        char e[32];
        upc_memget(buf, names[i], 32);
        sprintf(e, "THREAD-%d", i);
        CHECK(!strcmp(buf, e));
    }
    q = (char *)names[MYTHREAD];
    CHECK(strncmp(q, "THREAD-", 7) == 0);
    CHECK(s_strcmp(greeting, "hello") == 0 && s_strlen(greeting) == 5);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        s_strcpy(msg, "the quick "
                      "brown\tfox");
    upc_barrier;
    CHECK(s_strlen(msg) == 19 && msg[15] == '\t' && !s_strcmp(msg, "the quick brown\tfox"));
    CHECK(hello[0][1] == 'b' && hello[0][2] == 0);
    return finish();
}
