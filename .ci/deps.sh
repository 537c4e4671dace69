#!/bin/sh
# deps.sh test [ci]: installs what is missing, by apt where there is apt; elsewhere says what is missing.
# Nothing that it installs is needed to build or to replay, and no test fails for want of it.
set -u
. .ci/steps.sh

want() { missing="$missing $*"; }

fuzzer_runtime() { # prints libFuzzer's file, if clang has it
    for arch in "-$(uname -m)" ""; do
        lib=$(clang -print-file-name="libclang_rt.fuzzer$arch.a" 2>/dev/null)
        [ -f "$lib" ] && echo "$lib" && return
    done
}

# The runtime is a package of its own, named after clang's version, or the version that apt would install.
runtime_package() {
    version=$(clang -dumpversion 2>/dev/null | cut -d. -f1)
    [ -n "$version" ] ||
        version=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -n 1)
    if [ -n "$version" ]; then
        echo "libclang-rt-$version-dev"
    elif ! have apt-get; then
        echo "libclang-rt-dev (libFuzzer)"
    fi
}

wants_test() {
    have clang || want clang
    [ -n "$(fuzzer_runtime)" ] || want "$(runtime_package)"
    have lcov || want lcov
    have python3 || { have zip && have unzip; } || want zip unzip
    have mandoc || want mandoc
    have zsh || want zsh
    have fish || want fish
}

wants_ci() {
    have i686-linux-gnu-gcc || want gcc-i686-linux-gnu libc6-dev-i386-cross
    have s390x-linux-gnu-gcc || want gcc-s390x-linux-gnu libc6-dev-s390x-cross
    have musl-gcc || want musl-tools
    have qemu-s390x || want qemu-user
    have valgrind || want valgrind
    have clang-format || want clang-format
}

look() {
    missing=
    for set in "$@"; do "wants_$set"; done
    missing=$(echo $missing)
}

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get "$@" >>"$BUILD/log/apt" 2>&1 </dev/null; }

mkdir -p "$BUILD/log"
look "$@"
if [ -z "$missing" ]; then
    echo "deps: nothing is missing"
elif ! have apt-get; then
    echo "deps: there is no apt here; without these, by their Debian names, some tests are skipped: $missing"
elif [ "$(id -u)" -ne 0 ] && ! have sudo; then
    echo "deps: neither root nor sudo; without these some tests are skipped: $missing"
else
    if ! ls /var/lib/apt/lists/*Packages* >/dev/null 2>&1; then
        apt update
        look "$@"
    fi
    echo "deps: installing $missing"
    apt install -y --no-install-recommends $missing || {
        apt update
        apt install -y --no-install-recommends $missing
    } || tail -n 3 "$BUILD/log/apt"
    look "$@"
    [ -z "$missing" ] || echo "deps: still missing, so some tests will be skipped: $missing"
fi
