/* SPDX-License-Identifier: BSD-3-Clause */
/* What <sys/time.h> of a UPC source became in its translated C: the system's header, nothing else. Written only in
 * translated code; any thread. */
#pragma once
#include <sys/time.h>
