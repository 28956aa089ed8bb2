// Block sizes: one in a list of qualifiers, an integer constant from 0 to UPC_MAX_BLOCK_SIZE (6.5.1.1).
enum { kBlock = 8 };
shared [kBlock] int fits[kBlock * THREADS];
shared [2 * sizeof(int)] char *computed;
shared [1048576] char *largest;
shared [1048577] char *too_large;                  // error: D-LAY-BIG at '1048577'
shared [1ull << 40] char *far_too_large;           // error: D-LAY-BIG
shared [(unsigned __int128)1 << 70] char *larger;   // error: D-LAY-BIG
shared [18446744073709551615] char *larger_yet;    // error: D-LAY-BIG at '1844'
shared [18446744073709551617] char *no_number;     // error: D-CONST at '1844'
shared [0x10000000000000000] char *no_hexadecimal; // error: D-CONST at '0x10'
shared [-1] int *negative;                         // error: D-LAY-NEG at '-'
shared [kBlock - 9] int *computed_negative;        // error: D-LAY-NEG at 'kBlock'
int n = 4;
shared [n] int *variable;                          // error: D-LAY-CONST at 'n'
shared [THREADS] int *by_threads;                  // error: D-LAY-CONST at 'THREADS'
shared [2.0] int *floating;                        // error: D-LAY-CONST
shared [2] shared [3] int *twice;                  // error: D-LAY-DUP at 'shared [3]'
shared [2] int shared [] *around;                  // error: D-LAY-DUP
shared [2] shared [1 + 1] int *equal;
shared [2] shared int *one_is_silent;
