#!/bin/sh
# SPDX-License-Identifier: MIT
#
# report_test.sh: `fencepost report` from outside: which files it writes, what it answers, and that nothing half-written
# stays. Ends with "N passed, N failed".
set -u
fencepost=${FENCEPOST:-build/fencepost}
case $fencepost in /*) ;; *) fencepost=$PWD/$fencepost ;; esac
library=$PWD/scenarios
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 3
passed=0 failed=0

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAIL  $name: $1"
    sed 's/^/      err: /' err | head -n 20
}

# check NAME STATUS ARGUMENTS...: runs it; `out` and `err` keep what it said.
check() {
    name=$1 wanted=$2
    shift 2
    "$fencepost" "$@" >out 2>err </dev/null
    got=$?
    if [ $got -eq "$wanted" ]; then good; else bad "status $got, not $wanted"; fi
}

complains() { if grep -qF -- "$1" err; then good; else bad "does not complain: $1"; fi; }
silent() { if [ ! -s err ] && [ ! -s out ]; then good; else bad "says something"; fi; }
is_there() { if [ -s "$1" ]; then good; else bad "does not write $1"; fi; }
is_not_there() { if [ ! -e "$1" ]; then good; else bad "writes $1"; fi; }
holds() { if grep -qF -- "$2" "$1"; then good; else bad "$1 does not hold: $2"; fi; }
same() { if diff -r "$1" "$2" >out; then good; else bad "$1 and $2 differ"; fi; }
nothing_half() { if [ -z "$(find . -name '*.part')" ]; then good; else bad "leaves $(find . -name '*.part')"; fi; }

scenario() { printf 'fencepost 1\nscenario "%s"\ncase a %s\nparam v = 1\nstore s\nnode w\nw:\n  write s v\nat end: expect s = %s\n' "$@"; }
mkdir -p lib/one lib/two
scenario first holds 1 >lib/one/x.fence
scenario second holds 1 >lib/two/x.fence
scenario third holds 1 >lib/index.fence

check "a folder" 0 report -o pages lib
silent
is_there pages/index.html
is_there pages/one/x.html
is_there pages/two/x.html
is_there pages/index-2.html
nothing_half
holds pages/index.html '<a href="two/x.html">second</a>'
holds pages/index.html '3 scenarios, 3 cases: all as expected'
holds pages/one/x.html '<a href="../index.html">'
holds pages/one/x.html '"title":"first"'

name="the same bytes twice, in another folder and another locale"
cp -r lib "$work/copy"
(mkdir elsewhere && cd elsewhere && cp -r ../lib lib && env -i LC_ALL=C.UTF-8 TZ=Asia/Kathmandu "$fencepost" report -o pages lib) 2>err
same pages elsewhere/pages

check "a file that is named" 0 report --output=single lib/one/x.fence
is_there single/x.html
check "the same name twice" 0 report -o both lib/one/x.fence lib/two/x.fence
holds both/x.html '"title":"first"'
holds both/x-2.html '"title":"second"'

scenario "not as it says" holds 2 >lib/one/wrong.fence
printf 'fencepost 1\nscenario "an error"\ncase a holds\nnode w\nw:\n  puase w\n' >lib/one/error.fence
check "a case that is not as it says has its page" 1 report -o failing lib/one/wrong.fence lib/two
complains "lib/one/wrong.fence: case a is not as expected: $fencepost run --case a lib/one/wrong.fence"
is_there failing/wrong.html
holds failing/index.html 'NOT as expected'
holds failing/index.html '1 not as expected'
check "a file that is wrong has none, and the others have theirs" 2 report -o mixed lib
complains "error.fence:6:3: "
is_not_there mixed/one/error.html
is_there mixed/two/x.html
is_there mixed/one/wrong.html
check "no such file" 2 report -o mixed2 lib/nowhere.fence
is_not_there mixed2/index.html

check "one case" 0 report -o one-case --case fenced "$library/seeds/f1-paused-leader.fence"
holds one-case/f1-paused-leader.html '"name":"fenced"'
check "a case that nobody has" 2 report -o no-case --case nobody lib/two
complains "no file has a case 'nobody'"
check "another value" 1 report -o valued --set v=2 lib/two
holds valued/x.html 'found s was 2'

check "no folder to write to" 2 report lib
complains "fencepost report -o DIR FILE..."
check "no file" 2 report -o pages
check "a file where a folder should be" 3 report -o lib/one/x.fence lib/two
complains "cannot write lib/one/x.fence/x.html: "

# A disk that is full: what was there stays, and nothing half-written beside it.
name="a full disk"
mkdir full
echo before >full/x.html
(ulimit -f 8; exec "$fencepost" report -o full lib/two) >out 2>err
if [ $? -eq 3 ]; then good; else bad "another status"; fi
complains "cannot write full/x.html: "
holds full/x.html before
is_not_there full/index.html
nothing_half

# A folder and a file whose names are markup, quotes, and letters that turn the direction of writing.
turned=$(printf 'a\342\200\256b')
hostile="<script>alert(1)<&\"'#%?$turned"
mkdir -p "odd/$hostile"
scenario odd holds 1 >"odd/$hostile/$hostile.fence" 2>/dev/null
check "hostile names" 0 report -o odd-pages odd
is_there "odd-pages/$hostile/$hostile.html"
holds odd-pages/index.html '<a href="%3cscript%3ealert%281%29%3c%26%22%27%23%25%3fa%e2%80%aeb/%3cscript'
name="hostile names stay text"
if grep -qF '<script>alert(1)' odd-pages/index.html "odd-pages/$hostile/$hostile.html"; then bad "markup"; else good; fi
if grep -qF "$turned" odd-pages/index.html "odd-pages/$hostile/$hostile.html"; then bad "turned"; else good; fi

# Every page of the library: small enough, and without an absolute path.
check "the library" 0 report -o library "$library"
name="every page of the library has at most 400 KB"
large=$(find library -name '*.html' -size +390k) # as find counts: 399,360 bytes
if [ -z "$large" ]; then good; else bad "$large"; fi
name="no page holds an absolute path"
(cd "$library/.." && "$fencepost" report -o "$work/relative" scenarios) >out 2>err
if grep -rlF "$work" relative >out; then bad "$(cat out)"; else good; fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
