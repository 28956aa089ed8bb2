/* SPDX-License-Identifier: BSD-3-Clause */
/* Digraphs, continued lines and comments inside directives. */
%:include "check.h"
shared <:2:> int a<:2 * THREADS:>;
sha\
red int b[THR\
EADS];
#pragma /* comment */ upc /* another */ relaxed
  #  pragma   upc   strict
shared // comment
[ /* layout */ 3 ] int c /**/ [3/**/*/**/THREADS];
int main(void)
<% int i; upc_\
forall(i=0;i<2*THREADS;i++;&a<:i:>) a<:i:>=i; b[MYTHREAD]=L'x'; upc_barrier;
 CHECK(a[2*THREADS-1]==2*THREADS-1&&*b==L'x'&&upc_blocksizeof(c)==3); c[0]=0;a[0]---a[1],a[0]+++a[1]; CHECK('\x41'=='A'); return finish(); %>
