/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gasnet_config.h: which GASNet this is, for the configure scripts of clients. They look for this file beside
 * gasnet.h and preprocess it, or search it for a line, without the macros that gasnet.h asks for.
 * Preprocessor constants only; gasnet.h includes it.
 *
 *   GASNET_SPEC_VERSION_*      the specification of the interface: 1.8
 *   GASNET_RELEASE_VERSION_*   the release of GASNet whose behaviour this library has
 *   GASNETI_*                  the same under the names that scripts look for
 */
#ifndef _GASNET_CONFIG_H
#define _GASNET_CONFIG_H 1

#define GASNET_SPEC_VERSION_MAJOR 1
#define GASNET_SPEC_VERSION_MINOR 8
#define GASNET_VERSION GASNET_SPEC_VERSION_MAJOR

#define GASNET_RELEASE_VERSION_MAJOR 1
#define GASNET_RELEASE_VERSION_MINOR 28
#define GASNET_RELEASE_VERSION_PATCH 0

#define GASNETI_SPEC_VERSION_MAJOR 1
#define GASNETI_SPEC_VERSION_MINOR 8
#define GASNETI_RELEASE_VERSION_MAJOR 1
#define GASNETI_RELEASE_VERSION_MINOR 28
#define GASNETI_RELEASE_VERSION_PATCH 0

#endif
