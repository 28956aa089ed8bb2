// The same of shared objects and functions.
shared int upcr_counter;                           // error: D-MACRO
static shared [2] int *upcr_pointer;               // error: D-MACRO
static void upcri_help(void) { upcr_counter++; }   // error: D-MACRO
shared int counter_of_upcr_;
#pragma upc c_code
static int upcr_in_c(int upcri_n) { return upcri_n; }
#pragma upc upc_code
int main(void) {
  upcri_help();
  return *upcr_pointer;
}
