# Sourced by the tests that run the command from outside: an empty folder to work in, counters, and what most checks ask.
# FENCEPOST names the command. `out` and `err` keep what it said last, `name` what is being checked.
set -u
tree=$PWD
fencepost=${FENCEPOST:-build/fencepost}
case $fencepost in /*) ;; *) fencepost=$PWD/$fencepost ;; esac
[ -x "$fencepost" ] || { echo "no $fencepost"; exit 1; }
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 3
passed=0 failed=0 skipped=0 name= input=/dev/null
: >out >err

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAIL  $name: $1"
    sed 's/^/      out: /' out | head -n 20
    sed 's/^/      err: /' err | head -n 20
}
skip() {
    echo "skipped: $name: $1"
    skipped=$((skipped + 1))
}

# check NAME STATUS ARGUMENTS...: runs it.
check() {
    name=$1 wanted=$2
    shift 2
    "$fencepost" "$@" >out 2>err <"$input"
    got=$?
    if [ $got -eq "$wanted" ]; then good; else bad "status $got, not $wanted"; fi
}
# fed FILE NAME STATUS ARGUMENTS...: the same, with FILE on standard input.
fed() {
    input=$1
    shift
    check "$@"
    input=/dev/null
}

# What it said.
says() { if grep -qF -- "$1" out; then good; else bad "does not print: $1"; fi; }
says_not() { if grep -qF -- "$1" out; then bad "prints: $1"; else good; fi; }
complains() { if grep -qF -- "$1" err; then good; else bad "does not complain: $1"; fi; }
silent() { if [ ! -s err ]; then good; else bad "complains"; fi; }
prints_nothing() { if [ ! -s out ]; then good; else bad "prints something"; fi; }

# What it wrote.
holds() { if grep -qF -- "$2" "$1"; then good; else bad "$1 does not hold: $2"; fi; }
holds_not() { if grep -qF -- "$2" "$1"; then bad "$1 holds: $2"; else good; fi; }
is_there() { if [ -s "$1" ]; then good; else bad "does not write $1"; fi; }
is_not_there() { if [ ! -e "$1" ]; then good; else bad "writes $1"; fi; }
same() { if diff -r "$1" "$2" >diff; then good; else bad "$1 and $2 differ: $(head -n 3 diff)"; fi; }
nothing_half() { if [ -z "$(find . -name '*.part')" ]; then good; else bad "leaves $(find . -name '*.part')"; fi; }

# writers.fence, which several tests ask. Of its two cases `fenced` holds; `open` is broken by a pause of w1 that is longer
# than its lease.
write_writers() {
    cat >writers.fence <<'END'
fencepost 1
scenario "Two writers"

case fenced                     holds
case open  without store-token  holds

lock  leader central ttl 10s
store ledger
node  w1 w2

w1:
  acquire leader
  work 1s
  write ledger "from w1"

w2:
  wait 11s
  acquire leader
  write ledger "from w2"

may pause w1 up to 20s
may drop w1 - ledger
at most 2 faults
at end: expect ledger = "from w2"
END
}
