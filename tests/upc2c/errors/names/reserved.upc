// Names of the runtime, which translated text uses.
int upcr_threads_of_mine;                          // error: D-MACRO at 'upcr_threads_of_mine'
static double UPCR_SCALE = 2;                      // error: D-MACRO
extern int upcr_mythread(void);
struct s {
  int upcri_member;                                // error: D-MACRO
  int upc_member;
};
typedef int upc2c_number_t;                        // error: D-MACRO
int f(int UPCRI_PARAMETER) {                       // error: D-MACRO
  int upcr_local = UPCRI_PARAMETER;                // error: D-MACRO
  return upcr_local;
}
int upcr_function(void) { return upcr_mythread(); } // error: D-MACRO
