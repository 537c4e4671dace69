#!/bin/sh
# make portable: the digest of every case, from every compiler and machine at hand, against the golden ones; and the bytes
# of some pages, exports and findings against those of the first.
# Warnings fail a build by gcc or clang where CI is set, and no other: the rest is the plain build's business.
. .ci/steps.sh

golden=scenarios/golden.digests
[ -s "$golden" ] || { echo "there is no $golden: make bless"; exit 1; }

# name | compiler | emulator | flags | folder below build/, if another target builds the same
#
# The sanitizers of gcc are in make test, which builds its tests with them. Two things are tried in one build where a
# difference would show which it was: without optimising, chars are unsigned.
variants() {
    cat <<END
gcc -O0, char unsigned|gcc||-O0 -funsigned-char|
gcc -O3|gcc||-O3|
clang -O0|clang||-O0|
clang -O3|clang||-O3|
musl|musl-gcc||-O2 -static|
i686 (32 bits)|i686-linux-gnu-gcc||-O2 -static|
s390x (big-endian)|s390x-linux-gnu-gcc|$(emulator s390x)|-O2 -static|
clang sanitizers|clang||-O2 $FUZZED $SANITIZE|fuzz/sanitized
END
}

emulator() { # prints the command that runs programs for $1
    for name in "qemu-$1" "qemu-$1-static"; do
        have "$name" && echo "$name" && return
    done
    [ "$(uname -m)" = "$1" ] && echo env || echo none
}

variant() { # directory, compiler, emulator, flags, directory of the build
    [ "$3" != none ] || { echo "skipped: no emulator runs it here"; return 77; }
    have "$2" || { echo "skipped: no $2 here"; return 77; }
    can_run=$3
    can "$2" $4 || { echo "skipped: $2 $4 makes nothing that runs here"; return 77; }
    case $2 in
    gcc | clang) warnings=${CI:+-Werror} ;;
    *) warnings= ;;
    esac
    $MAKE -s -j"$JOBS" SAY=@ BUILD="$5" CC="$2" CFLAGS="$4" LDFLAGS= WERROR="$warnings" "$5/fencepost" || return 1
    mkdir -p "$1"
    BUILD=$1 sh .ci/golden.sh digests $3 "$5/fencepost" >"$1/digests" || return 1
    diff "$golden" "$1/digests" || return 1
    sh .ci/outputs.sh "$1/outputs" $3 "$5/fencepost" >"$1/outputs.sums" || return 1
    if [ -s "$BUILD/portable/outputs.sums" ]; then
        diff "$BUILD/portable/outputs.sums" "$1/outputs.sums"
    else
        cp "$1/outputs.sums" "$BUILD/portable/outputs.sums" # the first that is built; every other has to say the same
    fi
}

n=0
mkdir -p "$BUILD/portable"
rm -f "$BUILD/portable/outputs.sums"
variants >"$BUILD/variants"
while IFS='|' read -r name compiler emulator flags built; do
    n=$((n + 1))
    step "$name" variant "$BUILD/portable/$n" "$compiler" "$emulator" "$flags" "$BUILD/${built:-portable/$n}"
done <"$BUILD/variants"
echo "each against the $(wc -l <"$golden") digests of $golden, and the pages, exports and findings of the first"
finish
