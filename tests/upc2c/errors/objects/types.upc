// What can be shared: objects; not functions, their results, members, literals.
typedef int function_t(int);
shared function_t f1;                              // error: D-SHR-FUNC at 'shared'
shared [2] function_t f2;                          // error: D-SHR-FUNC
shared int returns(void);                          // error: D-SHR-RET
shared [4] struct point { int x, y; } origin(void); // error: D-SHR-RET
shared int *returns_pointer(void);
struct node {
  int key;
  shared int count;                                // error: D-SHR-FIELD at 'count'
  shared [4] double values[4];                     // error: D-SHR-FIELD
  shared struct node *next;
  shared [2] int *narrow : 3;                      // error: D-SHR-FIELD
  unsigned bits : 3;
};
union word {
  shared char bytes[4];                            // error: D-SHR-FIELD
};
typedef shared int (*returns_shared_t)(int);       // error: D-SHR-RET
int use(void) {
  int a = (shared int){3};                         // error: D-SHR-LIT at '('
  shared int *p = &(shared [2] int){4};            // error: D-SHR-LIT
  return a + *p;
}
shared void nothing;                               // error: D-SHR-VOID at 'nothing'
extern shared void nowhere;                        // error: D-SHR-VOID
shared struct unknown later;                       // error: D-INCOMPLETE

shared double restrict average;  // error: D-SHR-RESTRICT
