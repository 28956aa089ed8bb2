// Pointers and numbers convert with a cast only; C compilers let integers pass with a warning.
#include <stddef.h>
#include <stdint.h>
char a[4], *p, **pp;
shared char sa[4 * THREADS];
shared long *sl;
double *dp;
struct pair { long n; char *s; };
enum color { RED, BLUE } color;
int (*function)(void);
long take(char c, char *s, long l);
long take(char c, char *s, long l) {
  a[0] = "x";                                  // warning: D-INT-CONVERSION at '='
  sa[MYTHREAD] = "x";                          // warning: D-INT-CONVERSION
  *sl = p;                                     // warning: D-INT-CONVERSION
  p = 'x';                                     // warning: D-INT-CONVERSION
  p = l;                                       // warning: D-INT-CONVERSION
  color = &color;                              // warning: D-INT-CONVERSION
  l = take;                                    // warning: D-INT-CONVERSION
  l = a;                                       // warning: D-INT-CONVERSION
  l = take("c", "s", 1);                       // warning: D-INT-CONVERSION at '"c"'
  l = take('c', sa[0], 1);                     // warning: D-INT-CONVERSION at 'sa[0]'
  struct pair one = {"s", 1};                  // warning: D-INT-CONVERSION at '"s"'; warning: D-INT-CONVERSION at '1'
  double d = "1.0";                            // error: D-CONVERSION
  *dp = p;                                     // error: D-CONVERSION
  p = 1.0;                                     // error: D-CONVERSION
  // Null pointers, casts, differences and truth values are what they should be.
  p = 0, p = 0L, p = '\0', p = RED, p = NULL, p = 3 - 3, p = (void *)0, p = l ? 0 : a, p = l ? a : NULL;
  a[1] = *"x", a[2] = (char)(intptr_t)"x", l = p - a, l = p == a, l = !p, l = p && 1, l = (intptr_t)p;
  _Bool b = p;
  p = (char *)l, p = p ?: a, p = (l, a), p = ({ a; }), p = &a[1], p = *pp, p = 1 + a, function = 0;
  l += *p, p += l, p -= 1, p++;
  pp = &p, l = sizeof *pp, l = offsetof(struct pair, s), l = (char *)&one.s - (char *)&one, l = p > a;
  return p;                                    // warning: D-INT-CONVERSION
}
char *back(void) { return 0; }
char *bad(long l) { return l; }                // warning: D-INT-CONVERSION
