/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Flips a bit of a packet on its way, an error that UPCR_CHECKSUM detects. In C, for programs that link with
 * libupcr_debug; UPCR_FAULT=flip=PACKET:BIT does the same without a call. For this process only; any thread.
 *
 * Bit 0 is the lowest bit of the packet's first byte, as the conduit sends it: the conduit's header, the
 * message's header, arguments and payload, the checksum. A packet in a ring of shared memory begins with the
 * 8 bytes of its slot's header {sequence number (32), handler (8), number of arguments (5), kind (3), bytes
 * of payload (16)}; the arguments, the payload and the checksum follow without gaps. The number of a bit is
 * taken modulo the number of bits of the packet.
 */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
#define UPCRI_FAULT_API __attribute__((visibility("default")))

/* Flips bit `bit` of the packet that this process sends after `after` others. A second call replaces the
 * first. */
UPCRI_FAULT_API void upcri_fault_flip(unsigned long after, unsigned long bit);
/* How many packets of this process have had a bit flipped. */
UPCRI_FAULT_API unsigned long upcri_fault_flips(void);

#undef UPCRI_FAULT_API
#ifdef __cplusplus
}
#endif
