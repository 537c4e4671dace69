#!/bin/sh
# make report: the class site, all below build/site. Its pages need nothing but each other: they can be read from a folder,
# and put below any address. Code coverage is apart (make coverage), for it takes longer than all the rest.
# SCENARIOS: files or folders, the library. OUT: the folder.
set -eu
BUILD=${BUILD:-build} SCENARIOS=${SCENARIOS:-scenarios}
out=${OUT:-$BUILD/site}
rm -rf "$out"
"$BUILD/fencepost" report -o "$out" --words fuzz/GATES.md --words fuzz/RESULTS.md \
    --see 'coverage/index.html=What they have shown, and what not yet' $SCENARIOS
"$BUILD/fencepost" coverage -o "$out/coverage" --pages .. \
    --see '../gates.html=Which gate stops what' --see '../results.html=What the searches are worth' $SCENARIOS >/dev/null
echo "$out/index.html"
