/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure.h"

#include <gasnet.h>
#include <gasnet_tools.h>
#include <stdio.h>
#include <stdlib.h>

enum { TURNS = 25 };

static FILE *records;
static const char *conduit;
static unsigned nodes, written;

static double time_of(void (*body)(size_t), size_t calls)
{
    const gasnett_tick_t start = gasnett_ticks_now();
    size_t i;
    for (i = 0; i < calls; i++) body(i);
    return (double)gasnett_ticks_to_ns(gasnett_ticks_now() - start) / (double)calls;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts; the median, and what lies between the quarters. */
static double median(double *values, int n, double *spread)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    *spread = values[3 * n / 4] - values[n / 4];
    return values[n / 2];
}

void measure(const row_t *row, void (*body)(size_t), void (*reference)(size_t))
{
    double times[TURNS], references[TURNS], ratios[TURNS], before, ns, spread, ns_reference, unused, ratio, ratio_spread;
    int turn, kept = 0;
    time_of(body, row->calls / 4 + 1);
    before = time_of(reference, row->calls);
    for (turn = 0; turn < TURNS; turn++) {
        const double t = time_of(body, row->calls), after = time_of(reference, row->calls);
        if (after < 1.15 * before && before < 1.15 * after) { /* else the machine has changed meanwhile */
            times[kept] = t, references[kept] = (before + after) / 2, ratios[kept] = t / references[kept];
            kept++;
        }
        before = after;
    }
    if (kept == 0) {
        printf("%-16s %6zu B not measured: its reference never held still\n", row->name, row->size);
        if (records)
            fprintf(records, "%s\n {\"name\": \"%s\", \"size\": %zu, \"conduit\": \"%s\", \"ranks\": %u, \"why_not\": \"its reference never held still\"}",
                    written++ ? "," : "", row->name, row->size, conduit, nodes);
        return;
    }
    ns = median(times, kept, &spread);
    ns_reference = median(references, kept, &unused);
    ratio = median(ratios, kept, &ratio_spread);
    printf("%-16s %6zu B %10.1f ns %6.2f +- %-5.2f x %-12s %10.1f ns  %s\n", row->name, row->size, ns, ratio,
           ratio_spread / 2, row->against, ns_reference, row->summary);
    fflush(stdout);
    if (records)
        fprintf(records,
                "%s\n {\"name\": \"%s\", \"size\": %zu, \"conduit\": \"%s\", \"ranks\": %u, \"threads\": %u, \"median\": %.4g, "
                "\"spread\": %.4g, \"kept\": %d, \"triples\": %d, \"reference\": \"%s\", \"reference_median\": %.4g, "
                "\"ratio\": %.4g, \"ratio_spread\": %.4g}",
                written++ ? "," : "", row->name, row->size, conduit, nodes, nodes, ns * 1e-9, spread * 1e-9, kept, TURNS,
                row->against, ns_reference * 1e-9, ratio, ratio_spread);
}

int open_records(const char *file, const char *name, unsigned count)
{
    conduit = name;
    nodes = count;
    records = fopen(file, "w");
    return records != NULL && fputs("[", records) >= 0;
}

int close_records(void)
{
    const int right = fputs("\n]\n", records) >= 0;
    return fclose(records) == 0 && right;
}
