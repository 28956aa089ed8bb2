#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_environment.sh UPCR_INFO PAGE: the page is what upcr_info prints. No value of this environment may
# show in it, so some are set.
UPC_SHARED_HEAP_SIZE=5M UPCR_BACKTRACE=no "$1" -c --markdown | diff -u "$2" - || {
  echo "docs/reference/environment.md is not what the configuration tables say: build the target environment-md" >&2
  exit 1
}
