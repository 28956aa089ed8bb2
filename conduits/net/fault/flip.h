/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A bit of a packet that changes on its way: what UPCR_CHECKSUM is there to find. In C, for programs that
 * link with libupcr_debug; UPCR_FAULT=flip=PACKET:BIT does the same without a call. Each process for itself;
 * any thread.
 *
 * Bit 0 is the lowest of the packet's first byte, as the conduit sends it: its own head, the message's
 * header, arguments and payload, the checksum. A packet in a ring of shared memory begins with its slot's 8
 * bytes of head {sequence number (32), handler (8), number of arguments (5), kind (3), bytes of payload
 * (16)}, behind which the arguments, the payload and the checksum follow without gaps. Numbers of bits that
 * the packet does not have count on from its first one again.
 */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
#define UPCRI_FAULT_API __attribute__((visibility("default")))

/* Bit `bit` of the packet that this process sends after `after` others is flipped. One at a time: a second
 * order replaces the first. */
UPCRI_FAULT_API void upcri_fault_flip(unsigned long after, unsigned long bit);
/* How many packets of this process have been changed. */
UPCRI_FAULT_API unsigned long upcri_fault_flips(void);

#undef UPCRI_FAULT_API
#ifdef __cplusplus
}
#endif
