/* SPDX-License-Identifier: BSD-3-Clause */
/* gasnet_coll.h: gasnet.h holds all that there is (gasnet/coll.h). */
#pragma once
#include "gasnet.h"
