#!/bin/sh
# make report: the class site, all below build/site; begin with index.html. Its pages need nothing but each other: they
# can be read from a folder, and put below any address. Code coverage takes longer than all the rest: what `make coverage`
# has counted is shown, if it has.
# SCENARIOS: files or folders, the library. SEARCHED: of which the searches are drawn. OUT: the folder.
set -eu
BUILD=${BUILD:-build} SCENARIOS=${SCENARIOS:-scenarios}
out=${OUT:-$BUILD/site}
. .ci/searched.sh
rm -rf "$out"
"$BUILD/fencepost" report -o "$out" --words fuzz/GATES.md --words fuzz/RESULTS.md \
    --see 'coverage/index.html=What the scenarios have shown, and what not yet' --see 'search.html=What searches cover' $SCENARIOS
"$BUILD/fencepost" growth -n 3000 -o "$out" --pages . $SEARCHED >/dev/null
set -- --pages .. --see '../search.html=What searches cover' --see '../gates.html=Which gate stops what' \
    --see '../results.html=What the searches are worth'
[ ! -s "$BUILD/coverage.work/code.info" ] || set -- "$@" --code "$BUILD/coverage.work/code.info"
"$BUILD/fencepost" coverage -o "$out/coverage" "$@" $SCENARIOS >/dev/null
echo "$out/index.html"
