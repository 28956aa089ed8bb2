// The same for arguments and results.
// options: -Werror=upc-access-mode
#include <upc.h>
strict shared int flag;
shared int *where(void) { return &flag; }          // error: D-CNV-MODE
unsigned long thread(void) {
  return upc_threadof(&flag)                       // error: D-CNV-MODE
         + upc_threadof(where());
}
