#!/bin/sh
# SPDX-License-Identifier: MIT
#
# install_test.sh: `make install` into an empty root, which then is all that there is: the manual's examples run in it,
# on the library that was installed, with nothing of the tree that it was built from. `make uninstall` leaves no file.
# FENCEPOST names the command, in the folder that it was built into; nothing is built here.
set -u
fencepost=${FENCEPOST:-build/fencepost}
root=$(mktemp -d) || exit 3
trap 'rm -rf "$root"' EXIT
passed=0 failed=0 skipped=0

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAIL  $*"
}
skip() {
    skipped=$((skipped + 1))
    echo "skipped: $*"
}

build() {
    MAKEFLAGS='' "${MAKE:-make}" -s -o "$fencepost" BUILD="$(dirname "$fencepost")" DESTDIR="$root" PREFIX=/usr "$@"
}

umask 077 # who installs may have any
if build install >"$root.log" 2>&1; then good; else bad "make install" && cat "$root.log"; fi
rm -f "$root.log"

# --- what is there ----------------------------------------------------------------------------------------------

library=/usr/share/fencepost/scenarios
for file in bin/fencepost share/man/man1/fencepost.1 share/bash-completion/completions/fencepost \
    share/zsh/site-functions/_fencepost share/fish/vendor_completions.d/fencepost.fish \
    share/fencepost/scenarios/README.md share/doc/fencepost/LICENSE; do
    if [ -s "$root/usr/$file" ]; then good; else bad "there is no $file"; fi
done
if [ "$(find scenarios -name '*.fence' | wc -l)" -eq "$(find "$root$library" -name '*.fence' | wc -l)" ]; then
    good
else
    bad "not all of the library"
fi
if [ -z "$(find "$root/usr" ! -perm -044)" ] && [ -x "$root/usr/bin/fencepost" ]; then good; else bad "not for all"; fi
if [ -z "$(grep -rlF "$root" "$root/usr/share")" ]; then good; else bad "DESTDIR stands in a file"; fi
"$fencepost" manual "$library" >"$root/page"
if cmp -s "$root/page" "$root/usr/share/man/man1/fencepost.1"; then good; else bad "another page"; fi
for shell in bash zsh fish; do
    installed=$(find "$root/usr/share/" -path "*/$shell*" -name '*fencepost*' -type f)
    if "$fencepost" completion $shell | cmp -s - "$installed"; then good; else bad "another completion for $shell"; fi
done
if command -v man >/dev/null 2>&1 && man -w man >/dev/null 2>&1; then
    if [ "$(man -M "$root/usr/share/man" -w fencepost)" = "$root/usr/share/man/man1/fencepost.1" ]; then
        good
    else
        bad "man finds no fencepost(1)"
    fi
else
    skip "there is no man here"
fi

# --- in a root of its own ---------------------------------------------------------------------------------------

# The libraries of libc that the program names, and nothing else.
for file in $(ldd "$fencepost" 2>/dev/null | grep -o '/[^ ]*'); do
    mkdir -p "$root$(dirname "$file")" && cp -L "$file" "$root$file"
done
if chroot "$root" /usr/bin/fencepost --version >/dev/null 2>&1; then
    inside() { chroot "$root" /usr/bin/fencepost "$@"; }
elif unshare -r chroot "$root" /usr/bin/fencepost --version >/dev/null 2>&1; then
    inside() { unshare -r chroot "$root" /usr/bin/fencepost "$@"; }
else
    inside() { return 77; }
    skip "no root of one's own here"
fi

# ends STATUS LINE OF THE OUTPUT, ARGUMENTS...
ends() {
    status=$1 line=$2
    shift 2
    inside "$@" >"$root/out" 2>&1
    got=$?
    [ $got -ne 77 ] || return
    if [ $got -eq "$status" ] && { [ -z "$line" ] || grep -q "$line" "$root/out"; }; then
        good
    else
        bad "fencepost $*: status $got, not $status, or no '$line'" && tail -n 3 "$root/out"
    fi
}

# Each command of the manual's examples ends so.
expected() {
    case $1 in
    run) echo "0 all as expected" ;;
    trace) echo "0 verdict violates no-stale-write" ;;
    fuzz) echo "1 found after" ;;
    exhaust) echo "0 complete: no schedule with at most 2 faults breaks it" ;;
    gates) echo "0 store-token  *needed" ;;
    report) echo "0 " ;;
    *) echo "99 (this test does not know the command)" ;;
    esac
}

one=
sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/p' "$root/page" | tr -d '\\' | grep -e '^fencepost ' -e '^one=' >"$root/examples"
while IFS= read -r example; do
    case $example in
    one=*) one=${example#one=} ;;
    *)
        set -- $(echo "$example" | sed "s|\$one|$one|")
        shift
        end=$(expected "$1")
        ends "${end%% *}" "${end#* }" "$@"
        ;;
    esac
done <"$root/examples"
if [ "$(grep -c '^fencepost' "$root/examples")" -ge 6 ]; then good; else bad "the manual has few examples"; fi
inside --version >/dev/null
if [ $? -ne 77 ]; then
    if [ -s "$root/found.fence" ] && [ -s "$root/pages/index.html" ]; then good; else bad "no files"; fi
fi

# --- and nothing is left ----------------------------------------------------------------------------------------

touch "$root/usr/bin/other" "$root/usr/share/man/man1/other.1"
build uninstall >/dev/null || bad "make uninstall"
left=$(find "$root/usr" -name '*fencepost*' -o -type f ! -path '*/lib*')
if [ "$(echo "$left" | LC_ALL=C sort | tr '\n' ' ')" = "$root/usr/bin/other $root/usr/share/man/man1/other.1 " ]; then
    good
else
    bad "not what others have: $left"
fi

if [ $skipped -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ]
