/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds requests of this process for as long as a test likes: what happens meanwhile does not depend on them,
 * and what does not happen waits for them. In C, for test programs that link with libupcr_debug; any value of
 * UPCR_FAULT enables it (amonly, so that the process sends nothing but requests). For this process only; any
 * thread.
 */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
#define UPCRI_FAULT_API __attribute__((visibility("default")))

/* Accepts and holds the next `n` requests that this process sends. */
UPCRI_FAULT_API void upcri_fault_keep_next(unsigned n);
/* Sends what is held when the process polls next, and holds no more. */
UPCRI_FAULT_API void upcri_fault_release(void);
/* How many requests are held; how many were sent without being held; how often the process has polled. */
UPCRI_FAULT_API unsigned upcri_fault_kept(void);
UPCRI_FAULT_API unsigned long upcri_fault_sent(void);
UPCRI_FAULT_API unsigned long upcri_fault_polls(void);

#undef UPCRI_FAULT_API
#ifdef __cplusplus
}
#endif
