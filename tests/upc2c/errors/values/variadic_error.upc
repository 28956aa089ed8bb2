// -Werror=upc-pts-variadic makes an error of it, in arguments of every place behind the named ones.
// options: -Werror=upc-pts-variadic
#include <stdio.h>
struct node { shared struct node *next; int key; };
void f(shared struct node *p, char *to) {
  sprintf(to, "%d %p", p->key, p->next);           // error: D-PTS-VARIADIC at 'p->next'
  sprintf(to, "%d", p->key);
}
