#!/bin/sh
# SPDX-License-Identifier: MIT
#
# situations_test.sh: `fencepost situations` and `fencepost growth`, from outside. FENCEPOST names the command.
set -u
fencepost=${FENCEPOST:-build/fencepost}
case $fencepost in /*) ;; *) fencepost=$PWD/$fencepost ;; esac
[ -x "$fencepost" ] || { echo "no $fencepost"; exit 1; }
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 3
passed=0 failed=0

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAIL  $name: $1"
    sed 's/^/      out: /' out | head -n 20
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
has() { if grep -qF -- "$2" "$1"; then good; else bad "$1 has not: $2"; fi; }
same() { if cmp -s "$1" "$2"; then good; else bad "$1 and $2 differ"; fi; }
absent() { if [ ! -e "$1" ]; then good; else bad "$1 is there"; fi; }

mkdir -p lib/sub
cat >lib/paused.fence <<'END'
fencepost 1
scenario "Paused"
case one holds
lock leader central ttl 9s
node w1
w1:
  acquire leader
  work 2s
at 1s: pause w1 for 1ms
END
sed 's/pause w1 for 1ms/crash w1 for 1s/' lib/paused.fence >lib/sub/crashed.fence

check "a file" 0 situations lib/paused.fence
has out '  pause:working                                 1  lib/paused.fence:one 1.000s'
has out '  crash:working                                 -'
has out '1 scenario, 1 case: 1 of '
check "a folder" 0 situations lib
has out '  crash:working                                 1  lib/sub/crashed.fence:one 1.000s'
has out '2 scenarios, 2 cases: 2 of '
cp out first
check "the same bytes again" 0 situations lib
same out first
check "JSON" 0 situations --json lib
has out '{"scenarios":2,"cases":2,"reachable":'
check "a page" 0 situations -o pages lib
has pages/situations.html '<a href="sub/crashed.html#case=one&amp;t=1.000"'
cp pages/situations.html first
check "the same page again" 0 situations --output=pages lib
same pages/situations.html first
check "its links lead to where the pages of runs are" 0 report -o pages lib
has pages/sub/crashed.html 'Paused'
check "a value for nothing" 2 situations --set x=1 lib/paused.fence
check "a file that is wrong" 2 situations lib/paused.fence lib/none.fence
has err 'none.fence'
has out '1 scenario, 1 case: '
check "no file" 2 situations
has err 'situations takes FILE...'
check "a folder that cannot be" 3 situations -o lib/paused.fence/x lib
has err 'cannot write lib/paused.fence/x/situations.html'
check "-o ''" 2 situations -o '' lib
check "help" 0 situations --help
has out 'fencepost situations -o pages scenarios'

check "coverage has the same situations, though it is told of every gate as well" 0 coverage -o covered --pages pages lib
has out '2 of '
has covered/situations.html '<a href="pages/sub/crashed.html#case=one&amp;t=1.000"'
"$fencepost" situations --json lib >whole.json
same covered/situations.json whole.json

check "list situations" 0 list situations
has out '  pause:between-check-and-act                   pause, between check and act'
has out '(never: only a service answers)'
check "list situation" 0 list situation
check "list of all has not these hundreds" 0 list
if grep -q 'pause:idle' out; then bad "they are there"; else good; fi
check "list situatons" 2 list situatons
has err "did you mean 'situations'?"

check "growth" 0 growth lib/paused.fence -n 50
has out 'lib/paused.fence  case one'
has out '  portfolio         50 '
cp out first
check "the same growth again" 0 growth lib/paused.fence --schedules 50
same out first
check "another seed" 0 growth lib/paused.fence -n 50 --seed 2
has out '; seed 2'
check "growth as JSON" 0 growth --json lib -n 20
if [ "$(wc -l <out)" -eq 2 ]; then good; else bad "not an object a case"; fi
check "growth as a page" 0 growth -o grown lib/paused.fence -n 50 -j 1
has grown/search.html '<h2>lib/paused.fence, case one</h2>'
has grown/search.html 'Gates taken away'
cp grown/search.html first
check "the same page again" 0 growth -o grown lib/paused.fence -n 50 -j 2
same grown/search.html first
check "growth of no such case" 2 growth --case two lib/paused.fence
has err "no case 'two'"
check "growth of no file" 2 growth
absent grown/index.html

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
