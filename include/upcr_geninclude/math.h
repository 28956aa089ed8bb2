/* SPDX-License-Identifier: BSD-3-Clause */
/* Translated C includes this file where its UPC source includes <math.h>: the system's header,
 * nothing else. Any thread. */
#pragma once
#include <math.h>
