/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands for the gasnet_portable_platform.h of another runtime, which translated code may name by an absolute path; upcc
 * rewrites such a path to this one. Everything that it gave is in upcr.h. */
#pragma once
#include "upcr.h"
