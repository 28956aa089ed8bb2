// const and volatile of what a private pointer to pointers-to-shared points to.
struct table {
  shared [] char *const *names;
} t;
shared [] char **changed;
shared [] char *volatile *watched;
void f(void) {
  changed = t.names;                               // warning: D-DISCARDED-QUALIFIERS
  changed = watched;                               // warning: D-DISCARDED-QUALIFIERS
  t.names = changed;
  changed = (shared [] char **)t.names;
}
