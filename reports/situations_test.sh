#!/bin/sh
# SPDX-License-Identifier: MIT
#
# situations_test.sh: `fencepost situations` and `fencepost growth`, from outside. FENCEPOST names the command.
. "$(dirname "$0")/../.ci/outside.sh"

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
holds out '  pause:working                                 1  lib/paused.fence:one 1.000s'
holds out '  crash:working                                 -'
holds out '1 scenario, 1 case: 1 of '
check "a folder" 0 situations lib
holds out '  crash:working                                 1  lib/sub/crashed.fence:one 1.000s'
holds out '2 scenarios, 2 cases: 2 of '
cp out first
check "the same bytes again" 0 situations lib
same out first
check "JSON" 0 situations --json lib
holds out '{"scenarios":2,"cases":2,"reachable":'
check "a page" 0 situations -o pages lib
holds pages/situations.html '<a href="sub/crashed.html#case=one&amp;t=1.000"'
cp pages/situations.html first
check "the same page again" 0 situations --output=pages lib
same pages/situations.html first
check "its links lead to where the pages of runs are" 0 report -o pages lib
holds pages/sub/crashed.html 'Paused'
check "a value for nothing" 2 situations --set x=1 lib/paused.fence
check "a file that is wrong" 2 situations lib/paused.fence lib/none.fence
holds err 'none.fence'
holds out '1 scenario, 1 case: '
check "no file" 2 situations
holds err 'situations takes FILE...'
check "a folder that cannot be" 3 situations -o lib/paused.fence/x lib
holds err 'cannot write lib/paused.fence/x/situations.html'
check "-o ''" 2 situations -o '' lib
check "help" 0 situations --help
holds out 'fencepost situations -o pages scenarios'

check "coverage has the same situations, though it is told of every gate as well" 0 coverage -o covered --pages pages lib
holds out '2 of '
holds covered/situations.html '<a href="pages/sub/crashed.html#case=one&amp;t=1.000"'
"$fencepost" situations --json lib >whole.json
same covered/situations.json whole.json

check "list situations" 0 list situations
holds out '  pause:between-check-and-act                   pause, between check and act'
holds out '(never: only a service answers)'
check "list situation" 0 list situation
check "list of all has not these hundreds" 0 list
if grep -q 'pause:idle' out; then bad "they are there"; else good; fi
check "list situatons" 2 list situatons
holds err "did you mean 'situations'?"

check "growth" 0 growth lib/paused.fence -n 50
holds out 'lib/paused.fence  case one'
holds out '  portfolio         50 '
cp out first
check "the same growth again" 0 growth lib/paused.fence --schedules 50
same out first
check "another seed" 0 growth lib/paused.fence -n 50 --seed 2
holds out '; seed 2'
check "growth as JSON" 0 growth --json lib -n 20
if [ "$(wc -l <out)" -eq 2 ]; then good; else bad "not an object a case"; fi
check "growth as a page" 0 growth -o grown lib/paused.fence -n 50 -j 1
holds grown/search.html '<h2>lib/paused.fence, case one</h2>'
holds grown/search.html 'Gates taken away'
cp grown/search.html first
check "the same page again" 0 growth -o grown lib/paused.fence -n 50 -j 2
same grown/search.html first
check "growth of no such case" 2 growth --case two lib/paused.fence
holds err "no case 'two'"
check "growth of no file" 2 growth
is_not_there grown/index.html

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
