// Where shared objects can be: at file scope and static (6.5.1.1); pointers to them anywhere.
shared int global;
static shared int internal;
extern shared int external;
void f(int n) {
  shared int local;                                // error: D-SHR-AUTO at 'local'
  register shared int kept;                        // error: D-SHR-AUTO
  auto shared int automatic;                       // error: D-SHR-AUTO
  static shared int lasting;
  extern shared int elsewhere;
  shared int *pointer = &lasting;
  shared int *const fixed = pointer;
  typedef shared int name_t;
  name_t by_name;                                  // error: D-SHR-AUTO
  for (shared int i = 0; n < 3; n++) *pointer = i; // error: D-SHR-AUTO
  static _Thread_local shared int of_thread;       // error: D-SHR-TLS at 'of_thread'
  static shared int variable[n];                   // error: D-SHR-VLA at 'variable'
}
_Thread_local shared int at_file_scope;            // error: D-SHR-TLS
static __thread shared [2] double old_word;        // error: D-SHR-TLS
void g(shared int by_value);                       // error: D-SHR-PARAM
void h(shared [4] struct { int x; } whole, int n); // error: D-SHR-PARAM
shared int too_many = {1, {2}};                    // error: D-INI-COUNT
void good(shared int array[], shared [4] double rows[][10], shared int *p);
shared int placed __attribute__((section(".mine")));                   // error: D-UNKNOWN at 'section'
__attribute__((__section__(".mine"))) shared [2] int of_2[2 * THREADS]; // error: D-UNKNOWN at '__section__'
int private_one __attribute__((section(".mine")));
