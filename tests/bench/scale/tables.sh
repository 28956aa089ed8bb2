#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# tables.sh UPCR_SCALE PAGE: the page has the tables of memory that follow from the sizes of the types.
set -euo pipefail
python3 - "$2" <<EOF
import sys
tables = """$("$1" --tables)""".strip().split("\\n\\n")
with open(sys.argv[1], encoding="utf-8") as file:
    page = file.read()
if len(tables) != 4:
    sys.exit(f"upcr_scale --tables prints {len(tables)} tables, not 4")
for table in tables:
    if table not in page:
        sys.exit(f"{sys.argv[1]} does not have this table (upcr_scale --tables):\\n{table}")
EOF
