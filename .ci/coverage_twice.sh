#!/bin/sh
# make coverage-twice: the pages of `make coverage` of two scenarios, written twice: the same bytes. They are those of a lock
# and of a queue, so that most of the code has a line that one, both or none runs.
. .ci/steps.sh

export SEARCHED=scenarios/seeds/f1-paused-leader.fence
export OUT="$BUILD/coverage-twice" BUILD
export SCENARIOS='scenarios/seeds/f1-paused-leader.fence scenarios/seeds/j3-late-heartbeat.fence'
rm -rf "$OUT" "$OUT.first"
sh .ci/coverage_pages.sh || exit 1
cp -r "$OUT" "$OUT.first"
sh .ci/coverage_pages.sh >/dev/null || exit 1
diff -r "$OUT.first" "$OUT" || exit 1
# What two scenarios come to cannot be little.
for page in index.html protocol.html protocol.info situations.html search.html; do
    [ -s "$OUT/$page" ] || { echo "there is no $page"; exit 1; }
done
have gcov && [ ! -s "$OUT/code/model-store.c.html" ] && { echo "there is no page of model/store.c"; exit 1; }
echo "$(find "$OUT" -type f | wc -l) files, the same twice"
