// Arithmetic on pointers-to-shared (6.4.2): on complete types, with integers, between equal types, and not with
// private pointers.
struct incomplete;
shared [4] int *p4;
shared [4] long *q4;
shared int *p1;
shared [] int *indefinite;
shared void *any;
shared struct incomplete *opaque;
int *private_pointer, n;
double d;
void f(void) {
  n = p4 - p4 + (p1 - p1);
  n = p4 - p1;                                     // error: D-ARI-BLOCK at '-'
  n = p1 - indefinite;                             // error: D-ARI-BLOCK
  n = p4 - q4;                                     // error: D-ARI-TYPE at '-'
  n = p4 - private_pointer;                        // error: D-ARI-MIXED at '-'
  n = private_pointer - p1;                        // error: D-ARI-MIXED
  p4 = n ? p4 : private_pointer;                   // error: D-ARI-MIXED at '?'
  any = any + 1;                                   // error: D-ARI-VOID at '+'
  any++;                                           // error: D-ARI-VOID
  --any;                                           // error: D-ARI-VOID
  any += n;                                        // error: D-ARI-VOID
  n = any - any;                                   // error: D-ARI-VOID
  opaque = opaque - 1;                             // error: D-ARI-INCOMPLETE at '-'
  opaque++;                                        // error: D-ARI-INCOMPLETE
  p4 = p4 + d;                                     // error: D-OPERAND at '+'
  p4 = p4 * 2;                                     // error: D-OPERAND
  p4 += d;                                         // error: D-OPERAND
  p4 = p4 + p4;                                    // error: D-OPERAND
  n = 3 - p4;                                      // error: D-OPERAND
  n = ~p1;                                         // error: D-OPERAND
  n = p1[d];                                       // error: D-OPERAND at 'd'
  n = private_pointer[p1];                         // error: D-OPERAND at 'p1'
  switch (p1) {                                    // error: D-OPERAND at 'p1'
    default:
      break;
  }
}
