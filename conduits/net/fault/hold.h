/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests that a test keeps back for as long as it likes: what happens meanwhile does not depend on them, and
 * what does not happen waits for them. In C, for test programs that link with libupcr_debug; any value of
 * UPCR_FAULT turns it on (amonly, so that all that leaves the process is requests). Each process for itself;
 * any thread.
 */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
#define UPCRI_FAULT_API __attribute__((visibility("default")))

/* The next `n` requests that this process sends are accepted, and kept. */
UPCRI_FAULT_API void upcri_fault_keep_next(unsigned n);
/* Those that are kept leave when the process polls next, and the order to keep more ends. */
UPCRI_FAULT_API void upcri_fault_release(void);
/* How many are kept; how many were sent that are not and never were; how often the process has polled. */
UPCRI_FAULT_API unsigned upcri_fault_kept(void);
UPCRI_FAULT_API unsigned long upcri_fault_sent(void);
UPCRI_FAULT_API unsigned long upcri_fault_polls(void);

#undef UPCRI_FAULT_API
#ifdef __cplusplus
}
#endif
