/* SPDX-License-Identifier: BSD-3-Clause */
/* gasnet_coll.h: gasnet.h includes the collectives (gasnet/coll.h). */
#pragma once
#include "gasnet.h"
