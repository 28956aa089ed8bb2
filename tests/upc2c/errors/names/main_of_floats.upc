// main has one of two forms (C99 5.1.2.2.1).
double main(void) {                                // warning: D-MAIN at 'main'
  return 0;
}
