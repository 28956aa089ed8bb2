// THREADS times two constants: allowed here, although the letter of UPC says one.
// options: -Wpedantic-upc
enum { kRows = 4, kColumns = 5 };
shared int a[THREADS * kRows * kColumns];          // warning: D-THR-ASSOC at 'THREADS'
shared [kRows] double b[kRows * THREADS * 2];      // warning: D-THR-ASSOC
shared int c[THREADS * (kRows * kColumns)];
