// Functions declared in blocks.
int main(void) {
  extern shared int *find(int key);
  extern int count(shared [4] int *p);
  return find(3)[0];
}
int other(void) {
  extern shared [] int *find(int key);             // error: D-LINK-TYPE at 'find'
  return find(4)[0];
}
int count(shared int *p) { return p[0]; }          // error: D-LINK-TYPE
