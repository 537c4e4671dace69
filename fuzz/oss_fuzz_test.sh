#!/bin/sh
# SPDX-License-Identifier: MIT
#
# oss_fuzz_test.sh: what a cluster is given builds and runs as it will there: build.sh under the documented environment,
# the results alone in a folder that nobody can write to; once with libFuzzer, once with our plain driver as the engine
# and another compiler. Then the driver itself, as a user calls it. Run in the tree.
set -u
tree=$PWD
[ -f "$tree/fuzz/oss-fuzz/build.sh" ] || { echo "run in the tree"; exit 1; }
work=$(mktemp -d) || exit 3
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAIL  $1"
    [ ! -f "$work/said" ] || tail -n 30 "$work/said" | sed 's/^/      /'
}
expect() { # what command...: the command succeeds
    what=$1
    shift
    if "$@" >"$work/said" 2>&1 </dev/null; then good; else bad "$what"; fi
}
status() { # what wanted command...: it ends with that status
    what=$1 wanted=$2
    shift 2
    "$@" >"$work/said" 2>&1 </dev/null
    got=$?
    if [ $got -eq "$wanted" ]; then good; else bad "$what: status $got, not $wanted"; fi
}
says() { if grep -qF -- "$1" "$work/said"; then good; else bad "does not say: $1"; fi; }
lacks() { if grep -qF -- "$1" "$work/said"; then bad "says: $1"; else good; fi; }

targets=$(cd fuzz && ls *_fuzz.c | sed 's/_fuzz\.c$//')

# --- the files are where each service looks for them --------------------------------------------

expect "build.sh is a shell script" sh -n fuzz/oss-fuzz/build.sh
for file in build.sh project.yaml; do
    expect ".clusterfuzzlite/$file is fuzz/oss-fuzz/$file" cmp .clusterfuzzlite/$file fuzz/oss-fuzz/$file
done
# One clones the tree and has build.sh beside its Dockerfile, the other copies both.
for where in fuzz/oss-fuzz .clusterfuzzlite; do
    grep -Ev '^RUN git clone|^COPY ' $where/Dockerfile >"$work/$(basename $where).docker"
done
expect "both images are alike but for how the tree comes in" cmp "$work/oss-fuzz.docker" "$work/.clusterfuzzlite.docker"
for mode in pr:code-change batch:batch cron:prune; do
    expect "the workflow for ${mode#*:}" grep -q "mode: ${mode#*:}" ".github/workflows/cflite_${mode%:*}.yml"
done

# --- building ----------------------------------------------------------------------------------------

# Like there, the tree stands in SRC, and OUT is where it may write; then OUT moves, and the tree is gone.
build() { # name CC CXX CFLAGS engine
    src=$work/$1/src out=$work/$1/out
    mkdir -p "$src/fencepost" "$out" "$work/$1/work"
    for room in sim model scenarios fuzz; do cp -R "$tree/$room" "$src/fencepost/"; done
    (cd / && env -i PATH="$PATH" HOME=/nowhere SRC="$src" OUT="$out" WORK="$work/$1/work" CC="$2" CXX="$3" \
        CFLAGS="$4" CXXFLAGS="$4" LIB_FUZZING_ENGINE="$5" sh "$src/fencepost/fuzz/oss-fuzz/build.sh")
}

check_out() { # name: OUT has everything, by the names that are looked for
    out=$work/$1/out
    for target in $targets; do
        expect "$1: $target can be run" test -x "$out/$target"
        expect "$1: $target has a dictionary" test -s "$out/$target.dict"
        expect "$1: every line of its dictionary is one" sh -c \
            '! grep -Evq "^(#.*|\"([^\"\\\\]|\\\\[\"\\\\])+\")\$" "$0"' "$out/$target.dict"
        expect "$1: $target has options for libFuzzer" grep -q '^\[libfuzzer\]$' "$out/$target.options"
        expect "$1: $target has seeds" seeds "$out/${target}_seed_corpus.zip" "$work/$1/seeds-$target"
    done
    expect "$1: nothing else is there" nothing_else "$out"
    rm -rf "$work/$1/src" "$work/$1/work"
    cp -R "$out" "$work/$1/elsewhere"
    rm -rf "$out"
    chmod -R a-w "$work/$1/elsewhere"
    mkdir "$work/$1/cwd"
}

nothing_else() {
    for file in "$1"/*; do
        base=$(basename "$file")
        base=${base%_seed_corpus.zip} base=${base%.dict} base=${base%.options}
        case " $(echo $targets) " in *" $base "*) ;; *) echo "$file"; return 1 ;; esac
    done
}

seeds() { # archive folder: unpacks it; something must be in it
    mkdir -p "$2"
    if command -v unzip >/dev/null 2>&1; then unzip -q -o "$1" -d "$2"; else python3 -m zipfile -e "$1" "$2"; fi &&
        [ "$(find "$2" -type f | wc -l)" -gt 0 ]
}

zipper() { command -v zip >/dev/null 2>&1 || command -v python3 >/dev/null 2>&1; }
unzipper() { command -v unzip >/dev/null 2>&1 || command -v python3 >/dev/null 2>&1; }

with_libfuzzer() {
    # As there, but for -O1: a few thousand inputs run sooner than the compiler optimises.
    flags='-O0 -gline-tables-only -fsanitize=address -fsanitize=fuzzer-no-link'
    expect "libfuzzer: build.sh" build libfuzzer clang clang "$flags" -fsanitize=fuzzer
    check_out libfuzzer
    for target in $targets; do
        options=$(sed -n 's/^\([a-z_]*\) *= *\([^ ]*\)$/-\1=\2/p' "$work/libfuzzer/elsewhere/$target.options")
        (cd "$work/libfuzzer/elsewhere" && "./$target" -runs=1 $options) >"$work/said" 2>&1
        if grep -q '^Dictionary:' "$work/said" || grep -q '^# .* has no words' "$work/libfuzzer/elsewhere/$target.dict"; then
            good
        else
            bad "libFuzzer does not read the dictionary of $target"
        fi
        n=$(find "$work/libfuzzer/seeds-$target" -type f | wc -l)
        expect "libfuzzer: $target finds nothing in a hundred inputs made of its seeds" sh -c \
            'cd "$0" && "../elsewhere/$1" -runs="$2" -seed=1 -max_len=4096 -use_counters=0 "../seeds-$1"' \
            "$work/libfuzzer/cwd" "$target" $((n + 100))
        says DONE
    done
}

with_driver() { # compiler
    mkdir -p "$work/driver/engine"
    expect "driver: it compiles" "$1" -std=c11 -D_POSIX_C_SOURCE=200809L -I. -O1 -c -o "$work/driver/engine/driver.o" \
        fuzz/driver.c
    expect "driver: it becomes an archive" ar rcs "$work/driver/engine/driver.a" "$work/driver/engine/driver.o"
    expect "driver: build.sh" build driver "$1" "$1" -O0 "$work/driver/engine/driver.a"
    check_out driver
    for target in $targets; do
        expect "driver: $target finds nothing in its seeds" sh -c 'cd "$0" && "../elsewhere/$1" "../seeds-$1"' \
            "$work/driver/cwd" "$target"
        says "$(find "$work/driver/seeds-$target" -type f | wc -l | tr -d ' ') inputs"
    done
}

# --- the driver, as a user calls it ------------------------------------------------------------------

the_driver() {
    run=$work/driver/elsewhere/language
    mkdir -p "$work/in/deeper" "$work/nothing"
    printf 'fencepost 1\ncase a holds\nnode w1\n' >"$work/in/deeper/b"
    : >"$work/in/empty"
    printf 'fencepost 1\nca' >"$work/in/truncated"
    printf '\000\377' >"$work/in/binary"
    status "a folder, with an empty and a truncated file in it" 0 "$run" "$work/in"
    says "4 inputs"
    status "files" 0 "$run" "$work/in/empty" "$work/in/truncated"
    says "2 inputs"
    status "nothing to feed" 2 "$run"
    says "usage:"
    status "an option, of which it has none" 2 "$run" -runs=1
    says "usage:"
    status "a file that is not there" 2 "$run" "$work/nosuch" "$work/in/empty"
    says "$work/nosuch: "
    says "1 inputs"
    status "a folder without a file" 2 "$run" "$work/nothing"
    says "no input"
    ln -s circle "$work/circle"
    status "a link that leads to itself" 2 "$run" "$work/circle"
    says "$work/circle: "
    if [ "$(id -u)" -ne 0 ]; then
        chmod a-r "$work/in/binary"
        status "a file that may not be read" 2 "$run" "$work/in/binary"
        says "$work/in/binary: "
    fi
}

# Whoever runs the target must be able to see that something was found, and in which file: so it must be able to fail.
a_finding() { # compiler
    cat >"$work/canary_fuzz.c" <<'END'
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 3 && data[0] == 'b')
        abort();
    return 0;
}
END
    expect "a target that finds something compiles" "$1" -o "$work/canary" "$work/canary_fuzz.c" \
        "$work/driver/engine/driver.a"
    printf bad >"$work/found"
    "$work/canary" "$work/in/empty" "$work/found" "$work/in/truncated" >"$work/said" 2>&1
    if [ $? -gt 128 ]; then good; else bad "a finding ends the process by a signal"; fi
    says "finding: $work/found"
    lacks "truncated"
}

if ! zipper || ! unzipper; then
    echo "skipped: neither zip with unzip nor python3 is here"
    skipped=$((skipped + 1))
else
    echo 'int LLVMFuzzerTestOneInput(const char *p, unsigned long n) { return p && n > 9 ? 0 : 0; }' >"$work/empty.c"
    if clang -fsanitize=fuzzer,address -o "$work/empty" "$work/empty.c" >/dev/null 2>&1; then
        with_libfuzzer
    else
        echo "skipped: no clang with libFuzzer here"
        skipped=$((skipped + 1))
    fi
    cc=
    for cc in gcc cc "${CC:-}"; do command -v "$cc" >/dev/null 2>&1 && break; done
    with_driver "$cc"
    the_driver
    a_finding "$cc"
fi
if [ $skipped -ne 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ]
