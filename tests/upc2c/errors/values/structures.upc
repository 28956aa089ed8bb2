// A structure converts to no other structure, shared or not, and an array is initialised by a list or a string.
struct x {
  int a;
};
struct y {
  double b[4];
};
typedef struct x alias;
shared struct x sx;
shared struct y sy;
shared const alias sz;
struct x px;
struct y py;
struct x gives(shared struct y *p) {
  sx = px;
  sx = sz;
  px = sx = *(shared alias *)&sz;
  sx = py;                      // error: D-CONVERSION at '='
  py = sx;                      // error: D-CONVERSION at '='
  sx = sy;                      // error: D-CONVERSION at '='
  struct x l = sy, ok = sz;     // error: D-CONVERSION at 'sy'
  return *p;                    // error: D-CONVERSION
}
shared [] int values[2] = 3;    // error: D-CONVERSION at '3'
shared [] char letters[4] = "abc", more[] = {"abc"};
shared union {
  int i;
  float g;
} both[2 * THREADS] = {{.g = 2}, {3}}, two = {.g = 2, 3};  // error: D-INI-COUNT at '3'
// Members of other byte order are not read or written in shared memory.
struct __attribute__((scalar_storage_order("big-endian"))) wire {
  int length;
  char name[8];
  struct x inside;
};
struct __attribute__((__scalar_storage_order__("little-endian"))) host {
  int length;
} __attribute__((packed));
shared struct wire packet;
shared struct host message;
int of_wire(struct wire *mine, shared struct wire *p) {
  *mine = packet;
  packet.length = 1;                  // error: D-MEMBER at 'length'
  packet.name[2] = 1;
  packet.inside.a = 1;
  return mine->length + p->length     // error: D-MEMBER
         + message.length;
}
