// Access modes in casts, and modes that are lost where somebody wants to know.
// options: -Wupc-access-mode
strict shared int x;
relaxed shared int *p;
int sum(void) {
  p = &x;                                          // warning: D-CNV-MODE at '='
  p = (relaxed shared int *)&x;
  strict shared int *q = p;                        // warning: D-CNV-MODE
  p = (strict relaxed shared int *)q;              // error: D-MODE-DUP; warning: D-CNV-MODE
  return (strict int)*q                            // error: D-MODE-NOSHR
         + *(relaxed int *)0;                      // error: D-MODE-NOSHR
}
