# Sourced by the scripts that run several checks and add them up.
#
#   step NAME COMMAND...   runs it, keeps its output in $BUILD/log/NAME, prints one line for it, and all of
#                          its output when it fails. A command whose output has a line "N passed, N failed"
#                          is counted by that line, any other as one; status 77 means that it was skipped.
#   finish                 prints the sum as the last line; the status is 0 if nothing failed.

BUILD=${BUILD:-build}
MAKE=${MAKE:-make}
JOBS=${JOBS:-$({ nproc || getconf _NPROCESSORS_ONLN || echo 2; } 2>/dev/null)}
passed=0 failed=0 skipped=0

# Flags of what several scripts build. Of all that -g says, what a sanitizer reports needs the lines.
SANITIZE='-g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
# Tracing each comparison costs more than what is compared, and tracing calls through pointers makes a run depend on where
# the program is loaded.
FUZZED='-fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp,indirect-calls'
# A run reserves its trace whole: the shadow of 97 MB is then kept, not given back and faulted in again for each run.
export ASAN_OPTIONS=clear_shadow_mmap_threshold=1000000000:${ASAN_OPTIONS:-}
export UBSAN_OPTIONS=print_stacktrace=1:${UBSAN_OPTIONS:-}

have() { command -v "$1" >/dev/null 2>&1; }

# Can compiler $1 build and run a program with the flags that follow?
can() {
    can_cc=$1
    shift
    mkdir -p "$BUILD/log"
    can_program=$BUILD/log/can_$$ can_status=1 # another script may ask at the same time
    echo 'int main(void) { return 0; }' >"$can_program.c"
    have "$can_cc" && "$can_cc" "$@" -o "$can_program" "$can_program.c" >/dev/null 2>&1 &&
        $can_run "$can_program" >/dev/null 2>&1 && can_status=0
    rm -f "$can_program" "$can_program.c"
    return $can_status
}
can_run=

step() {
    step_name=$1
    shift
    mkdir -p "$BUILD/log"
    step_log=$BUILD/log/$(echo "$step_name" | tr ' /:,' '____')
    step_status=0
    "$@" >"$step_log" 2>&1 </dev/null || step_status=$?
    counts='^[0-9][0-9]* passed, [0-9][0-9]* failed'
    step_line=$(grep "$counts" "$step_log" | tail -n 1 | tr -d ,)
    # "3 passed 0 failed 1 skipped"
    set -- $step_line
    step_p=${1:-0} step_f=${3:-0} step_s=${5:-0}
    if [ $step_status -eq 77 ]; then
        step_s=$((step_s + 1))
    elif [ $step_status -ne 0 ] && [ "$step_f" -eq 0 ]; then
        step_f=1
    elif [ $step_status -eq 0 ] && [ -z "$step_line" ]; then
        step_p=1
    fi
    passed=$((passed + step_p)) failed=$((failed + step_f)) skipped=$((skipped + step_s))
    if [ "$step_f" -ne 0 ]; then
        echo "FAIL  $step_name"
        grep -v "$counts" "$step_log" | tail -n 200 | sed 's/^/      /'
    else
        echo "$([ $step_status -eq 77 ] && echo skip || echo 'ok  ')  $step_name"
        grep -i '^ *skipped' "$step_log" | sed 's/^/      /' || :
    fi
}

finish() {
    if [ $skipped -ne 0 ]; then
        echo "$passed passed, $failed failed, $skipped skipped"
    else
        echo "$passed passed, $failed failed"
    fi
    [ $failed -eq 0 ]
}
