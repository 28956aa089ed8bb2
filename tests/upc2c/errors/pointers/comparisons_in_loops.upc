// Blocks of -Wno-error=upc-block-compare are warnings.
// options: -Wno-error=upc-block-compare
typedef struct node { int key; shared struct node *next; shared [] struct node *child; } node_t;
shared node_t *head;
int count(node_t *local, shared void *end) {
  int n = 0;
  for (shared node_t *p = head; p != end; p = p->next) n++;
  for (shared node_t *p = head; p < end; p = p->next) n++;       // error: D-CMP-VOID
  for (shared node_t *p = head; p != local; p = p->next) n++;    // error: D-CMP-MIXED
  while (head->child == head) n++;                               // warning: D-CMP-BLOCK
  return n + (head == &n);                                       // error: D-CMP-MIXED
}
