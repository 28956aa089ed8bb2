#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_site.sh SOURCE WORK_DIR: tools/site makes a page of each document, in which search finds words, and refuses a
# document with a link that has no target. Exits with 77 where there is no mkdocs.
source=$1 work=$2
command -v mkdocs >/dev/null || { echo "SKIP: there is no mkdocs here (tools/setup --test installs it)"; exit 77; }
failed=0
rm -rf "$work"
mkdir -p "$work"
"$source/tools/site" "$work/site" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
for document in $(cd "$source/docs" && find . -name '*.md' ! -name README.md); do
  [ -s "$work/site/${document%.md}.html" ] || { echo "FAILED: no page of $document"; failed=1; }
done
for words in "A job that hangs" UPCR_STALL_WARN rendezvous; do
  grep -qi "$words" "$work/site/search/search_index.json" || { echo "FAILED: search does not find $words"; failed=1; }
done

# A copy with a broken link.
mkdir -p "$work/copy/tools"
cp -r "$source/docs" "$source/CHANGELOG.md" "$work/copy"
cp -r "$source/tools/site" "$source/tools/dev" "$source/tools/cmake" "$work/copy/tools"
echo "[elsewhere](no-such-page.md)" >>"$work/copy/docs/how-to/hang.md"
"$work/copy/tools/site" "$work/broken" >"$work/log" 2>&1 && { echo "FAILED: a broken link is accepted"; failed=1; }
grep -q "no-such-page.md" "$work/log" || { echo "FAILED: the broken link is not named:"; cat "$work/log"; failed=1; }
exit $failed
