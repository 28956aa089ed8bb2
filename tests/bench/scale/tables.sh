#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# tables.sh UPCR_SCALE PAGE: the page has the table of memory that follows from the sizes of the types.
set -euo pipefail
python3 - "$2" <<EOF
import sys
table = """$("$1" --tables)"""
with open(sys.argv[1], encoding="utf-8") as page:
    if table.strip() not in page.read():
        sys.exit(f"{sys.argv[1]} does not have this table (upcr_scale --tables):\\n{table}")
EOF
