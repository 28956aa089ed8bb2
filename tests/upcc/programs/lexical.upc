/* SPDX-License-Identifier: BSD-3-Clause */
/* Digraphs, spliced lines, X-macros from a file, #line, names with letters of other languages. */
#include <upc.h>
#include "../../upc2c/clauses/check.h"
#define X(n, v) shared int n##_s[THREADS];
#include "xlist.inc"
#undef X
#define X(n, v) n##_e = v,
enum { 
#include "xlist.inc"
 last_e };
#undef X
shared int a[3*THREADS]; int \
split = 3;
%:define DIG 4
int dig<:DIG:> = <% 1,2,3,4 %>; int été = 2; static const char *file = __FILE__; int cnt0 = __COUNTER__, cnt1 = __COUNTER__;
#ident "x"
#if 0
 this isn't C " at all ' 
#elif defined(__UPC__) && __UPC__
shared int elif_ok[THREADS];
#endif
#line 100 "renamed.upc"
static int line100 = __LINE__;
#line 21 "lexical.upc"
#define EMPTY
#define LP (
#define CALL(f, ...) f LP __VA_ARGS__ )
#define VA(fmt, ...) snprintf(buf, sizeof buf, fmt, ##__VA_ARGS__)
#define SHARED_ARRAY(T, n, len) shared T n[(len) * THREADS]
#define SH shared
#define LAY(n) [n]
SHARED_ARRAY(struct { int q; }, sarr, 2); SH LAY(2) int lay[2*THREADS]; SH EMPTY [ 3 ] int lay3[3*THREADS]; static int addi(int x,int y){return x+y;}
int main EMPTY (void) { int i, tot = 0; char buf[50]; for (i=0;i<3;i++) a[i*THREADS+MYTHREAD]=i; upc_barrier;
#include "body.inc"
 CHECK(tot==3); red_s[MYTHREAD]=red_e; CHECK(red_s[MYTHREAD]==1&&blue_e==3&&last_e==4); CHECK(split==3&&dig[3]==4&&été==2&&cnt1==cnt0+1&&line100==100); CHECK(file[0]!=0); elif_ok[MYTHREAD]=1; CHECK(CALL(addi,1,a[THREADS*2+MYTHREAD])==3); VA("%d %d",lay[0],a[MYTHREAD]); VA("x"); CHECK(buf[0]=='x'); sarr[MYTHREAD].q=3; lay[2*MYTHREAD+1]=4; CHECK(upc_threadof(&lay[2*MYTHREAD+1])==MYTHREAD); CHECK(upc_blocksizeof(lay3)==3); i = a[MYTHREAD] /* comment */ + // line comment
 1; CHECK(i==1); i = a[THREADS+MYTHREAD]//*
 +1; CHECK(i==2); CHECK("??/"[0]=='?'); CHECK(sizeof "a" "bc" == 4); i = 5
 - -a[THREADS+MYTHREAD]; CHECK(i==6); CHECK(0x1p3==8&&0b101==5&&1e+2==100&&'ab'!=0); return finish(); }
