// Casts of parts of structures and of results; -Wno-upc-pts-to-int silences one.
// options: -Werror=upc-pts-to-int
typedef shared [] char *buffer_t;
struct message { buffer_t text; char *copy; long length; } m;
char *copy_of(buffer_t b);
buffer_t f(int k) {
  m.text = (buffer_t)m.copy;                       // error: D-CAST-SHARED
  m.text = (buffer_t)m.length;                     // error: D-CAST-INT
  m.length = (long)m.text;                         // error: D-PTS-INT
  m.copy = (char *)m.text;
  m.length = (shared long)m.length;                // error: D-CAST-QUAL
  if (k) return (buffer_t)copy_of(m.text);         // error: D-CAST-SHARED
  return (buffer_t)(k ? 1 : 2);                    // error: D-CAST-INT
}
