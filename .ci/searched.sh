# Sourced by what draws pages of searches: SEARCHED, files or folders, of which they are; some of the seeds.
if [ -z "${SEARCHED:-}" ]; then
    for seed in f1-paused-leader f4-token-twice f5-late-release f6-unseen-token j1-two-claim-one-job j2-zombie-completion \
        j4-charged-twice; do
        SEARCHED="${SEARCHED:-} scenarios/seeds/$seed.fence"
    done
fi
