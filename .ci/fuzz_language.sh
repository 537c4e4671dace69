#!/bin/sh
# fuzz_language.sh RUNS: the language's libFuzzer target over so many inputs, from a corpus made of the library.
. .ci/steps.sh

runs=$1
SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all'
have clang || { echo "skipped: no clang here (make deps)"; exit 0; }
mkdir -p "$BUILD/log"
echo 'int LLVMFuzzerTestOneInput(const char *p, unsigned long n) { return p && n > 9 ? 0 : 0; }' >"$BUILD/log/empty.c"
clang -fsanitize=fuzzer,address,undefined -o "$BUILD/log/empty" "$BUILD/log/empty.c" >"$BUILD/log/empty.err" 2>&1 ||
    { echo "skipped: this clang has no libFuzzer (make deps)"; exit 0; }

dir=$BUILD/libfuzzer
corpus=$dir/corpus
rm -rf "$corpus" "$dir/found"
mkdir -p "$corpus" "$dir/found"
find scenarios -name '*.fence' | LC_ALL=C sort | while read -r file; do
    cp "$file" "$corpus/$(echo "$file" | tr / _)"
done
$MAKE -s -j"$JOBS" SAY=@ BUILD="$dir" CC=clang CFLAGS="-O1 -g -fsanitize=fuzzer-no-link $SANITIZE" \
    LDFLAGS=-fsanitize=fuzzer "$dir/language_fuzzer" || exit 1
# Reached states are kept apart, so that the library alone is the corpus the next time too.
"$dir/language_fuzzer" -runs="$runs" -seed=1 -max_len=65536 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$dir/found/" "$dir/found" "$corpus" >"$dir/log" 2>&1 || { tail -n 60 "$dir/log"; exit 1; }
echo "$(ls "$corpus" | wc -l) files of the library, $runs inputs, nothing found"
grep -E 'DONE|average_exec' "$dir/log"
