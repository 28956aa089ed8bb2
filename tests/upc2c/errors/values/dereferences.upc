// Values that cannot be had: of shared void, of incomplete types.
struct opaque;
shared void *any;
shared struct opaque *handle;
shared struct { int n; } s;
struct other { int n; } other;
void nothing(void);
int f(void) {
  int n = *any;                                    // error: D-OPERAND
  n = *(shared int *)any;
  *any = n;                                        // error: D-OPERAND
  n = sizeof(*handle = *handle);                   // error: D-INCOMPLETE; error: D-INCOMPLETE
  s.n = s;                                         // error: D-CONVERSION
  s = other;                                       // error: D-CONVERSION
  s.n = nothing();                                 // error: D-CONVERSION
  n = (int)s;                                      // error: D-CONVERSION
  n += -any;                                       // error: D-OPERAND
  (&s)->n = 3;
  *(const shared int *)any = 3;                    // error: D-LVALUE
  return handle->n;                                // error: D-INCOMPLETE
}
