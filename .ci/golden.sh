#!/bin/sh
# golden.sh compare|bless COMMAND...: the digests of every case of the library, and readable traces of the
# seeds, against what is kept in scenarios/. The command is a fencepost, perhaps under an emulator.
# With digests as its first argument it prints them and nothing else.
set -eu
what=$1
shift
golden=scenarios/golden.digests
work=${BUILD:-build}/golden
mkdir -p "$work"

# A case that is not as expected still has its digest; a crash shows by its status.
digests() {
    status=0
    "$@" run --json scenarios >"$work/run.json" 2>"$work/run.err" || status=$?
    [ $status -le 1 ] || { cat "$work/run.err" >&2; return $status; }
    awk -f .ci/digests.awk "$work/run.json"
}

traces() { # into folder $1
    folder=$1
    shift
    grep ' scenarios/seeds/' "$work/digests" | while read -r _ file case; do
        name=$(basename "$file" .fence).$(printf %s "$case" | tr -c 'A-Za-z0-9_.-' '-').trace
        "$@" trace --case "$case" "$file" >"$folder/$name" </dev/null
    done
}

[ "$what" = digests ] && { digests "$@"; exit; }

digests "$@" >"$work/digests"
[ -s "$work/digests" ] || { echo "the library has no case"; exit 1; }
case $what in
bless)
    cp "$work/digests" "$golden"
    rm -f scenarios/seeds/*.trace
    traces scenarios/seeds "$@"
    echo "$golden: $(wc -l <"$golden") digests; scenarios/seeds: $(ls scenarios/seeds | grep -c 'trace$') traces"
    ;;
compare)
    bad=0
    diff "$golden" "$work/digests" || bad=1
    rm -rf "$work/seeds"
    mkdir -p "$work/seeds"
    traces "$work/seeds" "$@"
    for trace in scenarios/seeds/*.trace "$work"/seeds/*.trace; do
        name=$(basename "$trace")
        [ "$name" = '*.trace' ] && continue
        diff "scenarios/seeds/$name" "$work/seeds/$name" || bad=1
    done
    [ $bad -eq 0 ] || echo "where the new ones are right, and the commit says why: make bless"
    exit $bad
    ;;
esac
