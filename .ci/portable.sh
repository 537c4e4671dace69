#!/bin/sh
# make portable: the digest of every case (and the bytes of some pages, exports and findings), from every compiler and machine at hand, against the golden ones.
# Warnings fail a build by gcc or clang where CI is set, and no other: the rest is the plain build's business.
. .ci/steps.sh

SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all'
golden=scenarios/golden.digests
[ -s "$golden" ] || { echo "there is no $golden: make bless"; exit 1; }

# name | compiler | emulator | flags
variants() {
    cat <<END
gcc -O0|gcc||-O0
gcc -O3|gcc||-O3
gcc -O2 -funsigned-char|gcc||-O2 -funsigned-char
gcc sanitizers|gcc||-O1 -g $SANITIZE
clang -O0|clang||-O0
clang -O3|clang||-O3
clang sanitizers|clang||-O1 -g $SANITIZE
musl|musl-gcc||-O2 -static
i686 (32 bits)|i686-linux-gnu-gcc||-O2 -static
s390x (big-endian)|s390x-linux-gnu-gcc|$(emulator s390x)|-O2 -static
END
}

emulator() { # prints the command that runs programs for $1
    for name in "qemu-$1" "qemu-$1-static"; do
        have "$name" && echo "$name" && return
    done
    [ "$(uname -m)" = "$1" ] && echo env || echo none
}

variant() { # directory, compiler, emulator, flags
    [ "$3" != none ] || { echo "skipped: no emulator runs it here"; return 77; }
    have "$2" || { echo "skipped: no $2 here"; return 77; }
    can_run=$3
    can "$2" $4 || { echo "skipped: $2 $4 makes nothing that runs here"; return 77; }
    case $2 in
    gcc | clang) warnings=${CI:+-Werror} ;;
    *) warnings= ;;
    esac
    $MAKE -s -j"$JOBS" SAY=@ BUILD="$1" CC="$2" CFLAGS="$4" LDFLAGS= WERROR="$warnings" "$1/fencepost" || return 1
    sh .ci/golden.sh digests $3 "$1/fencepost" >"$1/digests" || return 1
    diff "$golden" "$1/digests" || return 1
    pages "$1" "$3" >"$1/pages.sums" || return 1
    if [ -s "$BUILD/portable/pages.sums" ]; then
        diff "$BUILD/portable/pages.sums" "$1/pages.sums"
    else
        cp "$1/pages.sums" "$BUILD/portable/pages.sums" # the first that is built; every other has to say the same
    fi
}

# The sum of each page and each export of the seeds: they too are the same bytes everywhere.
pages() { # directory, emulator
    rm -rf "$1/pages"
    $2 "$1/fencepost" report -o "$1/pages" scenarios/seeds || return 1
    for format in jsonl shiviz perfetto edn mermaid dot; do
        $2 "$1/fencepost" trace --format "$format" --case checked scenarios/seeds/f1-paused-leader.fence \
            >"$1/pages/f1.$format" || return 1
    done
    # What a search finds, and how many states there are.
    $2 "$1/fencepost" fuzz scenarios/seeds/f1-paused-leader.fence --case checked --rediscover all -n 500 -j 2 --json \
        >"$1/pages/f1.found"
    [ $? -eq 1 ] || return 1
    $2 "$1/fencepost" exhaust scenarios/seeds/f2-even-split.fence --faults 1 --json >"$1/pages/f2.exhausted" || return 1
    (cd "$1/pages" && find . -type f | LC_ALL=C sort | xargs cksum)
}

n=0
mkdir -p "$BUILD/portable"
rm -f "$BUILD/portable/pages.sums"
variants >"$BUILD/variants"
while IFS='|' read -r name compiler emulator flags; do
    n=$((n + 1))
    step "$name" variant "$BUILD/portable/$n" "$compiler" "$emulator" "$flags"
done <"$BUILD/variants"
echo "each against the $(wc -l <"$golden") digests of $golden, and the pages and exports of the first"
finish
