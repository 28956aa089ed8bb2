/* Arrays of several dimensions, typedefs of rows, pointers to arrays, collective loops. */
enum { kN = 16, kBlock = kN * 2 };
typedef double row_t[kN];
typedef shared [kBlock] row_t rows_t;
shared [kBlock] double a[kN * THREADS][kN];
shared [kBlock] row_t b[kN * THREADS];
shared [kBlock] double (*previous)[kN] = a;
shared [] double *shared column[THREADS];
static shared double residual[THREADS];
static double dot(shared [] const double *x, const double y[static 1], int n)
{
    double s = 0;
    while (n-- > 0) s += *x++ * *y++;
    return s;
}
static void step(shared [kBlock] double (*from)[kN], shared [kBlock] double to[][kN])
{
    int i, j;
    upc_forall (i = 1; i < kN * THREADS - 1; i++; &from[i][0]) {
        for (j = 1; j < kN - 1; j++)
            to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
        upc_forall (j = 0; j < kN; j += kN - 1; ) to[i][j] = from[i][j], residual[MYTHREAD] += to[i][j];
    }
}
int main(void)
{
    double private_row[kN] = { [3] = 1.5, [5 ... 7] = 2, 3 };
    for (int k = 0; k < 10; k++) {
        step(k & 1 ? b : a, k & 1 ? a : b);
        upc_barrier k;
    }
    column[MYTHREAD] = (shared [] double *)&a[MYTHREAD * 2][0];
    a[0][1] = dot(column[0], private_row, kN) + (*previous)[2] + sizeof(rows_t) + upc_localsizeof(a);
    return &a[1][0] - &a[0][0] != kN || (double (*)[kN])&a[MYTHREAD * 2] == 0;
}
