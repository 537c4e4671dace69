#!/bin/sh
# make test: everything that needs no more than a C compiler, and more where there is more.
. .ci/steps.sh

fencepost=$BUILD/fencepost

skip() { echo "skipped: $*"; return 77; }

# The compiler that has the sanitizers' runtime: ours, or another that is here.
sanitizer_cc=
for cc in "${CC:-cc}" gcc clang; do
    if can "$cc" $SANITIZE; then sanitizer_cc=$cc; break; fi
done

build() { # variant target flags...: its output only when it fails
    build_dir=$BUILD/$1 build_target=$2 build_cc=$3
    shift 3
    $MAKE -s -j"$JOBS" SAY=@ BUILD="$build_dir" CC="$build_cc" CFLAGS="$*" LDFLAGS= $build_target
}

sanitized_build() {
    [ -n "$sanitizer_cc" ] || { skip "no compiler here has the runtime of the sanitizers"; return; }
    build asan "$BUILD/asan/fencepost $BUILD/asan/tests drivers" "$sanitizer_cc" -O1 $SANITIZE
}

sanitized() {
    [ -n "$sanitizer_cc" ] || { skip "no compiler here has the runtime of the sanitizers"; return; }
    "$BUILD/asan/$1" $2 $3
}

# As make portable has it from other builds: the golden digests, and the same outputs as of the plain build.
sanitized_outputs() {
    [ -n "$sanitizer_cc" ] || { skip "no compiler here has the runtime of the sanitizers"; return; }
    BUILD=$BUILD/asan sh .ci/golden.sh digests "$BUILD/asan/fencepost" >"$BUILD/asan/digests" &&
        diff scenarios/golden.digests "$BUILD/asan/digests" &&
        sh .ci/outputs.sh "$BUILD/outputs" "$fencepost" >"$BUILD/log/outputs.sums" &&
        sh .ci/outputs.sh "$BUILD/asan/outputs" "$BUILD/asan/fencepost" >"$BUILD/log/outputs_asan.sums" &&
        diff "$BUILD/log/outputs.sums" "$BUILD/log/outputs_asan.sums"
}

# Not even another locale, time zone, environment or folder may change a byte.
twice() {
    "$fencepost" run --json scenarios >"$BUILD/log/first.json" &&
        env -i LC_ALL=C.UTF-8 TZ=Asia/Kathmandu HOME=/nowhere "$fencepost" run --json scenarios \
            >"$BUILD/log/second.json" &&
        cmp "$BUILD/log/first.json" "$BUILD/log/second.json"
}

drivers() {
    [ -n "$(ls fuzz/*_fuzz.c 2>/dev/null)" ] || { skip "there is no fuzz target yet"; return; }
    for target in fuzz/*_fuzz.c; do
        name=$(basename "$target" _fuzz.c)
        if [ -n "$sanitizer_cc" ]; then
            driver=$BUILD/asan/${name}_driver
        else
            driver=$BUILD/${name}_driver
            $MAKE -s SAY=@ "$driver" || return
        fi
        sh .ci/fuzz_seeds.sh "$name" "$BUILD/log/first-inputs-$name" &&
            "$driver" "$BUILD/log/first-inputs-$name/seeds" || return
    done
}

step "unit tests" "$BUILD/tests"
step "the library, every case as expected" "$fencepost" run scenarios
step "golden digests and traces" sh .ci/golden.sh compare "$fencepost"
step "the library twice, byte for byte" twice
for script in $(find sim model scenarios fuzz reports -name '*_test.sh' | LC_ALL=C sort); do
    step "$script" env FENCEPOST="$fencepost" sh "$script"
done
step "seeded bugs that need several faults" $MAKE -s SAY=@ CC="${CC:-cc}" BUILD="$BUILD" fuzz-selftest
step "tidy" sh .ci/tidy.sh .
step "tidy can fail" sh .ci/tidy_selftest.sh
step "build with address and undefined sanitizers" sanitized_build
step "unit tests, sanitized" sanitized tests
step "the library, sanitized" sanitized fencepost run scenarios
step "digests, pages, exports and findings, sanitized" sanitized_outputs
step "fuzz drivers over their first inputs" drivers
finish
