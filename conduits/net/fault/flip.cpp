// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/fault/flip.h"

#include "conduits/core/checksum/packet_sums.hpp"

extern "C" {

void upcri_fault_flip(unsigned long after, unsigned long bit) { upcr::schedule_packet_flip(after, bit); }
unsigned long upcri_fault_flips(void) { return upcr::packet_sums_state.flips.load(); }

}  // extern "C"
