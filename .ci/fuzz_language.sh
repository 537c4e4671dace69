#!/bin/sh
# fuzz_language.sh RUNS: make fuzz for the language, as CI does it: from the same corpus each time.
exec env TARGET=language SCENARIO= FRESH=yes SEED=1 FLAVOUR= RUNS="$1" sh .ci/fuzz.sh
