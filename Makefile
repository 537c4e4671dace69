# Fencepost: the whole build.
#
#   make            build/fencepost, in seconds
#   make replay     the library of scenarios, with nothing but a C compiler and make
#   make deps test  what the tests want (by apt, where there is apt), then the tests
#   make install    the program, its manual, completions and library, below PREFIX
#   make help       every other target
#
# Everything is built into build/, which git ignores. A second build with other flags goes beside
# it: `make BUILD=build/o0 CFLAGS=-O0`.

# --- what a user may set ----------------------------------------------------------------

ifeq ($(origin CC),default)
CC := $(or $(shell for c in cc gcc clang; do command -v $$c && break; done),cc)
endif
CC ?= cc
CFLAGS ?= -O2 -g
WERROR ?= $(if $(CI),-Werror)
BUILD ?= build
RUN ?=
SCENARIOS ?= scenarios

# --- flags ------------------------------------------------------------------------------

# Only what gcc 12 and clang 14 both know.
WARNINGS = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
           -Wundef -Wformat=2 $(WERROR)
# File offsets of 64 bits also on 32-bit machines: without them readdir fails on large inodes.
DEFINES = -I. -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64
ALL_CFLAGS = -std=c11 $(DEFINES) $(WARNINGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP

# Allocations are counted, and made to fail, in the tests of a plain build: a sanitizer has its own
# malloc, and not every linker can wrap.
COUNT_ALLOCATIONS ?= $(if $(filter Linux,$(shell uname -s)),$(if $(findstring -fsanitize,$(CFLAGS)),,yes))
ifeq ($(COUNT_ALLOCATIONS),yes)
TEST_CFLAGS = -DTEST_COUNTS_ALLOCATIONS
TEST_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
endif

# --- sources ----------------------------------------------------------------------------

ROOMS = sim model scenarios/language scenarios fuzz reports
FOUND := $(foreach room,$(ROOMS),$(wildcard $(room)/*.c))
TESTS := $(filter %_test.c,$(FOUND))
TARGETS := $(patsubst fuzz/%_fuzz.c,%,$(wildcard fuzz/*_fuzz.c))
# What belongs to one fuzz target alone, and the programs that write first inputs: no part of the library.
FUZZ_PARTS := $(wildcard $(TARGETS:%=fuzz/%_fuzz_*.c))
FUZZERS := $(filter %_fuzz.c %_seeds.c fuzz/driver.c,$(FOUND)) $(filter-out $(TESTS),$(FUZZ_PARTS))
# A program that measures the searches: no part of the library either.
SELFTEST := $(filter fuzz/selftest%,$(FOUND))
# Writes out the counters of a build with --coverage, scenario by scenario.
DRIVER := reports/gcov_driver.c
LIBRARY := $(filter-out $(TESTS) $(FUZZERS) $(SELFTEST) $(DRIVER) sim/test.c,$(FOUND))
FRONT := $(wildcard fencepost.c)
CASES := $(wildcard $(SCENARIOS)/*.fence $(SCENARIOS)/*/*.fence)
HEADERS := $(foreach room,$(ROOMS),$(wildcard $(room)/*.h))

# What the pages of `fencepost report` are made of: embedded.c, below, holds it. One script in this order: the first says
# "use strict" for all, the last begins.
VIEWER_JS = $(patsubst %,reports/viewer%.js,_time _scale _lanes _svg _layout _ground _bars _messages _events _panel \
              _text _look _acts) reports/viewer.js
PAGES = $(VIEWER_JS) reports/viewer.css reports/page.css reports/index.js reports/coverage.css reports/covered_lines.js
# And the parts of `fencepost completion` that no command or option changes: reports/completion.bash and so on.
SHELLS = bash zsh fish

# The lessons as they are handed out, so that a changed file can be compared with what it was: lessons.c, below.
LESSONS := $(sort $(wildcard scenarios/lessons/*.fence))

LIBRARY_O = $(LIBRARY:%.c=$(BUILD)/%.o) $(BUILD)/reports/embedded.o $(BUILD)/reports/lessons.o
FRONT_O = $(FRONT:%.c=$(BUILD)/%.o)
PARTS_O = $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(TESTS),$(FUZZ_PARTS)))
TESTS_O = $(TESTS:%.c=$(BUILD)/%.o) $(BUILD)/sim/test.o $(FRONT:%.c=$(BUILD)/%_inside.o) $(PARTS_O)
DRIVERS = $(TARGETS:%=$(BUILD)/%_driver)

# `make V=1` shows the commands.
SAY = $(if $(V),,@echo "  $(1)  $@";)

# --- the build --------------------------------------------------------------------------

.PHONY: all
all: $(BUILD)/fencepost

$(BUILD)/fencepost: $(FRONT_O) $(LIBRARY_O)
	$(call SAY,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

$(BUILD)/tests: $(TESTS_O) $(LIBRARY_O)
	$(call SAY,LD)$(CC) $(CFLAGS) $(LDFLAGS) $(TEST_LDFLAGS) -o $@ $^

# A fuzz target with a plain main(), which feeds it the files of the command line.
$(BUILD)/%_driver: $(BUILD)/fuzz/%_fuzz.o $(BUILD)/fuzz/driver.o $(LIBRARY_O)
	$(call SAY,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

# The same target with libFuzzer's main().
$(BUILD)/%_fuzzer: $(BUILD)/fuzz/%_fuzz.o $(LIBRARY_O)
	$(call SAY,LD)$(CC) $(CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^

$(foreach t,$(TARGETS),$(eval $(BUILD)/$t_driver $(BUILD)/$t_fuzzer: $(filter $(BUILD)/fuzz/$t_fuzz_%,$(PARTS_O))))

$(BUILD)/selftest: $(SELFTEST:%.c=$(BUILD)/%.o) $(LIBRARY_O)
	$(call SAY,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

$(BUILD)/gcov_driver: $(DRIVER:%.c=$(BUILD)/%.o) $(LIBRARY_O)
	$(call SAY,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

# Writes a target's dictionary and first inputs. It knows of the table of words, and of nothing else.
$(BUILD)/%_seeds: $(BUILD)/fuzz/%_seeds.o $(BUILD)/scenarios/language/words.o $(BUILD)/sim/base.o
	$(call SAY,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call SAY,CC)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# Files as an array of bytes, by od and awk: every system has both, and no compiler minds how long it is.
EMBED = od -An -v -tu1 | \
    awk 'BEGIN { print "const unsigned char embedded_$(1)[] = {" } \
         { gsub(/ +/, ","); sub(/^,/, ""); print $$0 "," } \
         END { print "};\nconst size_t embedded_$(1)_n = sizeof embedded_$(1);" }'
# Comments that have lines of their own, and indentation, stay out: each page carries the rest.
EMBED_PAGE = awk '/^ *\/\*/ { on = 1 } !on && NF { sub(/^ +/, ""); print } /\*\/ *$$/ { on = 0 }' $(2) | \
    $(call EMBED,$(1))
EMBED_SHELL = <reports/completion.$(1) $(call EMBED,completion_$(1))

$(BUILD)/reports/embedded.c: $(PAGES) $(SHELLS:%=reports/completion.%) Makefile
	@mkdir -p $(@D)
	$(call SAY,EMBED)! grep -l '</' $(PAGES) && { echo '#include "reports/embedded.h"'; \
	    $(call EMBED_PAGE,viewer_js,$(VIEWER_JS)); \
	    $(call EMBED_PAGE,viewer_css,reports/viewer.css); $(call EMBED_PAGE,page_css,reports/page.css); \
	    $(call EMBED_PAGE,index_js,reports/index.js); \
	    $(call EMBED_PAGE,coverage_css,reports/coverage.css); \
	    $(call EMBED_PAGE,covered_lines_js,reports/covered_lines.js); $(foreach shell,$(SHELLS),$(call EMBED_SHELL,$(shell));) } \
	    >$@.part && mv $@.part $@

# Each lesson's bytes, and a table of them.
lesson_id = lesson_$(subst -,_,$(basename $(notdir $(1))))
$(BUILD)/reports/lessons.c: $(LESSONS) Makefile
	@mkdir -p $(@D)
	$(call SAY,EMBED){ echo '#include "reports/lessons.h"'; \
	    $(foreach f,$(LESSONS),<$f $(call EMBED,$(call lesson_id,$f));) \
	    echo 'const struct handed_out lessons[] = {'; \
	    $(foreach f,$(LESSONS),echo '{"$(basename $(notdir $f))", (const char *)embedded_$(call lesson_id,$f),'; \
        echo 'sizeof embedded_$(call lesson_id,$f)},';) \
	    echo '};'; echo 'const uint32_t lessons_n = sizeof lessons / sizeof *lessons;'; } >$@.part && mv $@.part $@

$(BUILD)/reports/embedded.o $(BUILD)/reports/lessons.o: $(BUILD)/reports/%.o: $(BUILD)/reports/%.c $(BUILD)/flags
	$(call SAY,CC)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/sim/test.o: ALL_CFLAGS += $(TEST_CFLAGS)

# Flags of the fuzz targets' own files, where these alone are instrumented.
$(BUILD)/fuzz/%_fuzz.o $(PARTS_O): ALL_CFLAGS += $(FUZZ_CFLAGS)

# The front door inside the tests: all of fencepost.c but a main of its own.
$(BUILD)/%_inside.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call SAY,CC)$(CC) $(ALL_CFLAGS) -Dmain=fencepost_main -Wno-missing-prototypes -c -o $@ $<

# Other flags, or another compiler, in the same place: everything is built anew. Worked out here: in the rule they would be
# those of whichever object asks first.
FLAGS := $(CC) $(ALL_CFLAGS) $(TEST_CFLAGS) $(FUZZ_CFLAGS) $(LDFLAGS)
.PHONY: force
$(BUILD)/flags: force
	@mkdir -p $(@D)
	@echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' >$@

-include $(patsubst %.o,%.d,$(LIBRARY_O) $(FRONT_O) $(TESTS_O) $(patsubst %.c,$(BUILD)/%.o,$(FUZZERS) $(SELFTEST) $(DRIVER)))
.SECONDARY:

# --- installing -------------------------------------------------------------------------

# PREFIX is where it will be; DESTDIR, for who makes a package, a root that it is put below until then. The library and
# the language go with the program, which asks for neither: they are what a reader of the manual is sent to.
PREFIX ?= /usr/local
LIBRARY_DIR = $(PREFIX)/share/fencepost/scenarios
BIN = $(DESTDIR)$(PREFIX)/bin
SHARE = $(DESTDIR)$(PREFIX)/share
MAN_PAGE = $(SHARE)/man/man1/fencepost.1
COMPLETE_BASH = $(SHARE)/bash-completion/completions/fencepost
COMPLETE_ZSH = $(SHARE)/zsh/site-functions/_fencepost
COMPLETE_FISH = $(SHARE)/fish/vendor_completions.d/fencepost.fish

.PHONY: install uninstall
install: $(BUILD)/fencepost
	@set -e; umask 022; \
	    mkdir -p '$(BIN)' $(foreach f,$(MAN_PAGE) $(COMPLETE_BASH) $(COMPLETE_ZSH) $(COMPLETE_FISH),'$(dir $(f))'); \
	    rm -rf '$(DESTDIR)$(LIBRARY_DIR)'; \
	    find scenarios -name '*.fence' -o -name '*.md' | LC_ALL=C sort | while read -r file; do \
	        mkdir -p "$(SHARE)/fencepost/$$(dirname "$$file")"; cp "$$file" "$(SHARE)/fencepost/$$file"; done; \
	    mkdir -p '$(SHARE)/doc/fencepost'; cp README.md LICENSE '$(SHARE)/doc/fencepost'; \
	    $(RUN) $(BUILD)/fencepost manual '$(LIBRARY_DIR)' >'$(MAN_PAGE)'; \
	    $(RUN) $(BUILD)/fencepost completion bash >'$(COMPLETE_BASH)'; \
	    $(RUN) $(BUILD)/fencepost completion zsh >'$(COMPLETE_ZSH)'; \
	    $(RUN) $(BUILD)/fencepost completion fish >'$(COMPLETE_FISH)'; \
	    cp $(BUILD)/fencepost '$(BIN)/fencepost.part'; mv '$(BIN)/fencepost.part' '$(BIN)/fencepost'
	@echo 'installed: $(BIN)/fencepost, its manual, completions and $(DESTDIR)$(LIBRARY_DIR)'

# Folders that others use as well stay.
uninstall:
	rm -f '$(BIN)/fencepost' '$(MAN_PAGE)' '$(COMPLETE_BASH)' '$(COMPLETE_ZSH)' '$(COMPLETE_FISH)'
	rm -rf '$(SHARE)/fencepost' '$(SHARE)/doc/fencepost'

# --- running ----------------------------------------------------------------------------

.PHONY: report replay test check golden bless reference top pages pages-test bench bench-instructions
replay: $(BUILD)/fencepost
	$(RUN) $(BUILD)/fencepost run $(SCENARIOS)

# Ends with the line "N passed, N failed", which is all that a caller needs to look at.
test: $(BUILD)/fencepost $(BUILD)/tests $(BUILD)/selftest
	@CC='$(CC)' BUILD='$(BUILD)' MAKE='$(MAKE)' MAKEFLAGS= sh .ci/test.sh

check: test

golden: $(BUILD)/fencepost
	@sh .ci/golden.sh compare $(BUILD)/fencepost

bless: $(BUILD)/fencepost $(BUILD)/tests
	@sh .ci/golden.sh bless $(BUILD)/fencepost
	@FENCEPOST_BLESS=1 $(BUILD)/tests "is what was blessed"

# The generated part of scenarios/README.md, from the table of words.
reference: $(BUILD)/tests
	FENCEPOST_REFERENCE=1 $(BUILD)/tests "the reference has every word"

# The library as pages to look at, begin with $(BUILD)/pages/index.html; and each of them opened in a browser that nobody
# sees, where there is one (never in CI).
pages: $(BUILD)/fencepost
	@rm -rf $(BUILD)/pages
	$(BUILD)/fencepost report -o $(BUILD)/pages $(SCENARIOS)

# The class site: lessons, the library, what it has covered, what searches found; begin with $(BUILD)/site/index.html.
report: $(BUILD)/fencepost
	@BUILD='$(BUILD)' SCENARIOS='$(SCENARIOS)' sh .ci/site.sh

pages-test: pages
	@command -v python3 >/dev/null || { echo 'skipped: there is no python3 here'; exit 0; }; \
	    python3 reports/pages_check.py $(BUILD)/pages

bench: $(BUILD)/fencepost
	$(BUILD)/fencepost bench

bench-instructions: $(BUILD)/fencepost
	@sh .ci/instructions.sh $(BUILD)/fencepost

# What libFuzzer adds to a run of the schedule target (B6).
.PHONY: bench-fuzz
bench-fuzz:
	@BUILD='$(BUILD)' MAKE='$(MAKE)' MAKEFLAGS= sh .ci/bench_fuzz.sh

# --- the house in order -----------------------------------------------------------------

.PHONY: tidy tidy-selftest format portable coverage coverage-tests coverage-twice drivers
tidy:
	@CC='$(CC)' sh .ci/tidy.sh .

tidy-selftest:
	@CC='$(CC)' BUILD='$(BUILD)' sh .ci/tidy_selftest.sh

format:
	clang-format -i $(FOUND) $(FRONT) $(HEADERS)

top:
	@awk -f .ci/top.awk $(LIBRARY) $(FRONT)

# Every digest the same with every compiler, optimisation, word size and byte order at hand.
portable:
	@BUILD='$(BUILD)' MAKE='$(MAKE)' MAKEFLAGS= sh .ci/portable.sh

# What the tests reach of sim/ and model/, against a bound: part of CI.
coverage-tests:
	@BUILD='$(BUILD)' MAKE='$(MAKE)' MAKEFLAGS= sh .ci/coverage.sh

# What the scenarios have shown, as pages; begin with $(BUILD)/coverage/index.html.
coverage: coverage-tests
	@BUILD='$(BUILD)' MAKE='$(MAKE)' MAKEFLAGS= SCENARIOS='$(SCENARIOS)' sh .ci/coverage_pages.sh

coverage-twice:
	@BUILD='$(BUILD)' MAKE='$(MAKE)' MAKEFLAGS= sh .ci/coverage_twice.sh

drivers: $(DRIVERS)

# --- fuzzing ----------------------------------------------------------------------------

# make fuzz SCENARIO=FILE RUNS=N SEED=N TARGET=language|schedule: what each means says .ci/fuzz.sh.
.PHONY: fuzz fuzz-coverage fuzz-language
fuzz:
	@BUILD='$(BUILD)' MAKE='$(MAKE)' MAKEFLAGS= TARGET='$(TARGET)' SCENARIO='$(SCENARIO)' RUNS='$(RUNS)' SEED='$(SEED)' \
	    FLAVOUR='$(FLAVOUR)' FRESH='$(FRESH)' sh .ci/fuzz.sh

# Lines of the parser that the language's corpus reaches.
fuzz-coverage:
	@BUILD='$(BUILD)' MAKE='$(MAKE)' MAKEFLAGS= sh .ci/fuzz_coverage.sh

FUZZ_RUNS ?= 20000
fuzz-language:
	@BUILD='$(BUILD)' MAKE='$(MAKE)' MAKEFLAGS= sh .ci/fuzz_language.sh $(FUZZ_RUNS)

# How soon seeded bugs are found: against the goals, quickly; or all of it, into fuzz/RESULTS.md. Which gate stops what in the
# library, into fuzz/GATES.md.
.PHONY: fuzz-selftest fuzz-results fuzz-gates
fuzz-selftest: $(BUILD)/selftest
	@mkdir -p $(BUILD)/log
	@BUILD='$(BUILD)' MAKE='$(MAKE)' MAKEFLAGS= sh fuzz/selftest.sh quick

fuzz-results: $(BUILD)/selftest
	@BUILD='$(BUILD)' MAKE='$(MAKE)' MAKEFLAGS= sh fuzz/selftest.sh results

fuzz-gates: $(BUILD)/fencepost
	@BUILD='$(BUILD)' sh fuzz/gates.sh

# Looks for schedules that reach what no run can reach, as model/situation.c says: SCHEDULES=N of each case.
.PHONY: coverage-attack
coverage-attack: $(BUILD)/fencepost
	@FENCEPOST='$(BUILD)/fencepost' sh fuzz/coverage_attack.sh $(SCHEDULES)

# --- what must be installed -------------------------------------------------------------

.PHONY: deps deps-ci
# `make -j deps test` installs first, too.
.NOTPARALLEL: deps deps-ci test
ifneq ($(filter deps deps-ci,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif
deps:
	@sh .ci/deps.sh test

deps-ci:
	@sh .ci/deps.sh test ci

# --- the rest ---------------------------------------------------------------------------

.PHONY: clean help
clean:
	rm -rf $(BUILD)

help:
	@echo 'make                  $(BUILD)/fencepost'
	@echo 'make replay           replay the library of scenarios'
	@echo 'make install          below PREFIX (/usr/local), with DESTDIR for packages; uninstall'
	@echo 'make deps test        install what the tests want; run them all'
	@echo 'make golden, bless    compare with the golden digests and traces; rewrite them'
	@echo 'make reference        the generated part of scenarios/README.md, from the table of words'
	@echo 'make report           lessons, the library, what it has covered, what searches found, as pages: build/site/index.html'
	@echo 'make pages            the library alone, as pages; pages-test opens each in a headless chromium'
	@echo 'make tidy             directions of includes, banned calls, padding, layout'
	@echo 'make portable         one digest with every compiler and machine at hand'
	@echo 'make coverage         what the scenarios have shown: $(BUILD)/coverage/index.html; coverage-tests: the tests, against a bound'
	@echo 'make fuzz             a libFuzzer target: SCENARIO=FILE, RUNS=N, SEED=N, TARGET=language; .ci/fuzz.sh says more'
	@echo 'make fuzz-coverage    lines of the parser that its corpus reaches; fuzz-language: as CI fuzzes'
	@echo 'make fuzz-selftest    seeded bugs against the goals; fuzz-results: all of fuzz/RESULTS.md'
	@echo 'make fuzz-gates       which gate stops what, in the whole library: fuzz/GATES.md'
	@echo 'make coverage-attack  searches for situations that no run can reach (SCHEDULES=100000 of each case)'
	@echo 'make bench            how fast; bench-instructions counts them by callgrind; bench-fuzz: libFuzzer (B6)'
	@echo 'make top              the ten longest functions'
	@echo 'make deps-ci          cross compilers, musl, qemu-user, valgrind'
	@echo 'make format, clean'
