#!/bin/sh -eu
# SPDX-License-Identifier: MIT
#
# build.sh: the fuzz targets as a cluster builds them. It takes no more from outside than the contract names: CC, CFLAGS,
# CXX, CXXFLAGS, LIB_FUZZING_ENGINE, and the folders SRC (the tree is SRC/fencepost), WORK and OUT. For each
# fuzz/TARGET_fuzz.c it leaves in OUT:
#
#   TARGET                   the program; it reads nothing of the tree when it runs
#   TARGET_seed_corpus.zip   its first inputs
#   TARGET.dict              the words it may use
#   TARGET.options           how to run it
cd "$SRC/fencepost"
INCLUDES='-std=c11 -I. -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64'

compile() { # source: its object, below WORK; says the name
    object=$WORK/fencepost/$(echo "${1%.c}" | tr / _).o
    $CC $CFLAGS $INCLUDES -c -o "$object" "$1"
    echo "$object"
}

zip_folder() { # folder archive: what stands in the folder, without its path
    rm -f "$2"
    if command -v zip >/dev/null 2>&1; then
        (cd "$1" && find . -type f | LC_ALL=C sort | zip -q -X -@ "$2")
    elif command -v python3 >/dev/null 2>&1; then
        (cd "$1" && python3 -c '
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
    for name in sorted(os.listdir(".")):
        z.write(name)' "$2")
    else
        echo "build.sh: a seed corpus is a zip: neither zip nor python3 is here to make one" >&2
        exit 1
    fi
}

rm -rf "$WORK/fencepost"
mkdir -p "$WORK/fencepost"

# Everything that is neither a test nor a program of its own. The linker takes what a target needs.
targets=
for source in fuzz/*_fuzz.c; do
    targets="$targets $(basename "$source" _fuzz.c)"
done
library=
for source in sim/*.c model/*.c scenarios/*.c scenarios/language/*.c fuzz/*.c; do
    case $source in
    *_test.c | sim/test.c | sim/bench_* | fuzz/*_fuzz.c | fuzz/*_fuzz_*.c | fuzz/*_seeds.c | fuzz/selftest*.c | fuzz/driver.c) ;;
    *) library="$library $(compile "$source")" ;;
    esac
done
rm -f "$WORK/fencepost/library.a"
ar rcs "$WORK/fencepost/library.a" $library

for target in $targets; do
    objects=$(compile "fuzz/${target}_fuzz.c")
    for part in fuzz/"${target}"_fuzz_*.c; do
        case $part in *_test.c) continue ;; esac
        [ ! -f "$part" ] || objects="$objects $(compile "$part")"
    done
    $CXX $CXXFLAGS -o "$OUT/$target" $objects "$WORK/fencepost/library.a" $LIB_FUZZING_ENGINE

    # What writes the seeds runs here and now: with no flag of a sanitizer, and of the tree no more than the words.
    seeds=$WORK/fencepost/${target}_seeds.d
    rm -rf "$seeds"
    mkdir -p "$seeds"
    if [ -f "fuzz/${target}_seeds.c" ]; then
        $CC $INCLUDES -o "$WORK/fencepost/${target}_seeds" "fuzz/${target}_seeds.c" scenarios/language/words.c sim/base.c
        "$WORK/fencepost/${target}_seeds" "$seeds"
        "$WORK/fencepost/${target}_seeds" --dictionary >"$OUT/$target.dict"
    else
        : >"$seeds/empty"
        echo "# $target has no words" >"$OUT/$target.dict"
    fi
    [ "$target" != language ] || for file in scenarios/*.fence scenarios/*/*.fence; do
        [ ! -f "$file" ] || cp "$file" "$seeds/$(echo "$file" | tr / _)"
    done
    zip_folder "$seeds" "$OUT/${target}_seed_corpus.zip"

    if [ -f "fuzz/oss-fuzz/$target.options" ]; then
        cp "fuzz/oss-fuzz/$target.options" "$OUT/$target.options"
    else
        printf '[libfuzzer]\nmax_len = 4096\ntimeout = 20\ndict = %s.dict\n' "$target" >"$OUT/$target.options"
    fi
done
