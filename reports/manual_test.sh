#!/bin/sh
# SPDX-License-Identifier: MIT
#
# manual_test.sh: fencepost(1) has every command, option, format, gate and invariant that --help and `list` show; it
# renders without a warning; and it is the same wherever it is written. FENCEPOST names the command.
set -u
fencepost=$(realpath "${FENCEPOST:-build/fencepost}")
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 3
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
have() { command -v "$1" >/dev/null 2>&1; }

# --- the page itself --------------------------------------------------------------------------------------------

"$fencepost" manual >page 2>err || bad "no manual"
env -i LC_ALL=C.UTF-8 TZ=Asia/Kathmandu "$fencepost" manual >again
if cmp -s page again; then good; else bad "another environment, another page"; fi
version=$("$fencepost" --version | sed 's/^\(fencepost [^ ,]*\).*/\1/')
if grep -qxF ".Os \"$version\"" page; then good; else bad "another version than $version"; fi
"$fencepost" manual /opt/a-b/scenarios >other
if [ "$(grep -c /opt/a.-b/scenarios other)" -ge 3 ] && ! grep -q /usr/local other; then good; else bad "the folder"; fi
"$fencepost" manual a b >out 2>err
if [ $? -eq 2 ] && grep -q "not 'b' too" err; then good; else bad "two folders"; fi

# --- what it tells ----------------------------------------------------------------------------------------------

# The part of one command, with options as they are typed.
part() { sed -n "/^\.Ss $1\( .*\)\{0,1\}\\\\&\$/,/^\.S[sh] /p" page | sed 's/\\-/-/g; s/Fl /-/g'; }

for command in $("$fencepost" --help | sed -n 's/^  fencepost \([a-z]*\).*/\1/p'); do
    "$fencepost" "$command" --help >help
    part "$command" >part
    if [ -s part ] && grep -qx ".Cm $command" page; then good; else bad "no command $command"; fi
    for option in $(sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' help | grep -vx -e --help) \
        $(sed -n 's/^  \(-.\), --.*/\1/p' help | grep -vx -e -h); do
        if grep -q -e "^\.It.* $option\( .*\)\{0,1\}$" part; then good; else bad "$command has no $option"; fi
    done
    sed -n '/^example/,/^$/s/^  //p' help >examples
    sed "s/(aq/'/g; s/(ti/~/g" part | tr -d '\\' >shown
    while IFS= read -r example; do
        if grep -qxF -- "$example" shown; then good; else bad "no '$example'"; fi
    done <examples
    for format in $(sed -n '/^formats/,/^$/s/^  \([a-z]*\) .*/\1/p' help); do
        if grep -qx ".It Cm $format" part; then good; else bad "$command has no format $format"; fi
    done
done
for word in $(for group in gates invariants; do
    "$fencepost" list $group | grep -v 'not in this version' | sed -n 's/^  \([^ ]*\) .*/\1/p'
done); do
    if sed 's/\\-/-/g' page | grep -q "^\.It Cm $word\( Pq [a-z]*\)\{0,1\}$"; then good; else bad "no $word"; fi
done

# --- how it renders ---------------------------------------------------------------------------------------------

# Without what makes it bold on a printer, or on a terminal.
plain() { LC_ALL=C awk '{ gsub(/.\010/, ""); gsub(/\033\[[0-9;]*m/, ""); print }'; }

# The version stands where BSD's own pages have the system; which other pages are here is not this page's business.
if have mandoc; then
    mandoc -T lint page 2>&1 | grep -v -e 'STYLE: operating system explicitly' -e 'STYLE: referenced manual not found' \
        -e 'outdated mandoc.db' >lint
    if [ ! -s lint ]; then good; else bad "mandoc warns" && cat lint; fi
    mandoc -T ascii page | plain >text
    if grep -q 'fencepost run \[option \.\.\.\] FILE' text; then good; else bad "mandoc draws no synopsis"; fi
else
    skip "there is no mandoc here"
fi
if have groff && groff -mdoc -Tascii /dev/null >/dev/null 2>&1; then
    groff -mdoc -Tascii -ww page 2>err | plain >text
    if [ ! -s err ] && grep -q '^EXIT STATUS' text; then good; else bad "groff warns" && cat err; fi
else
    skip "there is no groff with its mdoc macros here"
fi
if have man && man -w man >/dev/null 2>&1; then
    LC_ALL=C man -l page 2>err | plain >text
    if [ ! -s err ] && grep -q -e '--without GATE' text; then good; else bad "man shows no options" && cat err; fi
else
    skip "there is no man here"
fi

if [ $skipped -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ]
