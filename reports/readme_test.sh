#!/bin/sh
# Every command that README.md shows with its output (a line "    $ COMMAND") is run, and prints just that.
# The scenario it shows stands in the library, byte for byte. Ends with "N passed, N failed".
set -u
fencepost=${FENCEPOST:-build/fencepost}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

check() { # name expected actual
    if cmp -s "$2" "$3"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "README.md is not true: $1"
        diff "$2" "$3" | head -n 10
    fi
}

# Splits the shown commands: N.command, N.expected. A session ends where the indentation does.
awk -v work="$work" '
    /^    \$ /          { n++; print substr($0, 7) > (work "/" n ".command"); on = 1; next }
    on && /^    /       { while (blank > 0) { print "" > (work "/" n ".expected"); blank-- }
                          print substr($0, 5) > (work "/" n ".expected"); next }
    on && /^$/          { blank++; next }
                        { on = 0; blank = 0 }
    /^```fence$/        { fence = 1; next }
    /^```$/             { fence = 0; next }
    fence               { print > (work "/example.fence") }
' README.md

for command in "$work"/*.command; do
    sh -c "$(sed "s|^build/fencepost|$fencepost|" "$command")" >"$work/actual" 2>&1
    check "$(cat "$command")" "${command%.command}.expected" "$work/actual"
done
check "the scenario that it shows" "$work/example.fence" scenarios/seeds/f1-paused-leader.fence
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
