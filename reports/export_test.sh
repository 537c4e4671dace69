#!/bin/sh
# SPDX-License-Identifier: MIT
#
# export_test.sh: every format of `fencepost trace` and `run` against the checks of its readers, over part of the
# library. FENCEPOST names the command; FILES other scenarios.
set -u
fencepost=${FENCEPOST:-build/fencepost}
here=$(dirname "$0")
[ -x "$fencepost" ] || { echo "no $fencepost"; exit 1; }
case $fencepost in */*) ;; *) fencepost=./$fencepost ;; esac
python3 -c 'import json, xml.etree.ElementTree' 2>/dev/null || { echo "skipped: there is no python3 here"; exit 77; }
[ -n "${FILES:-}" ] || FILES="$here/../scenarios/seeds/*.fence $here/../scenarios/faults/[c-w]*.fence"
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

# What the syntax of some format would take for its own; and a file that is wrong.
cat >"$work/hostile.fence" <<'HOSTILE'
fencepost 1
scenario "end; # </script> ]]> \"q\" \\ %% {x} שלום"
case bad violates no-stale-write
lock leader central ttl 10s
store ledger
queue jobs lease 30s
  job "end"
  job "#5; </script> \"x\" \\"
node w1 w2
w1:
  acquire leader
  claim jobs as job
  work 1s
  write ledger "</script>; end # %% \\ \"q\" ]]>"
  complete job
w2:
  wait 11s
  acquire leader
  write ledger "end"
before w1 writes ledger: pause w1 for 12s
HOSTILE
sed 's/^  work 1s/  wrok 1s/' "$work/hostile.fence" >"$work/wrong.fence"
# shellcheck disable=SC2086
python3 "$here/export_test.py" "$fencepost" "$work/hostile.fence" "$work/wrong.fence" $FILES
