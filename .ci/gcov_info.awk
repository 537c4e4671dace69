# What `gcov -t -b -c` prints of the objects of one scenario, as a record a source of a tracefile of lcov. Set: test, the
# name. Sources that several objects hold (headers) are added up. Only the rooms that run scenarios are told; no second
# branch of an assertion, which is a bug.
function wanted(name) { return name ~ /^(sim|model|scenarios)\// && name !~ /_test\.c$/ }

/^ *-: *0:Source:/ {
    source = $0
    sub(/^.*:Source:/, "", source)
    on = wanted(source)
    if (on && !(source in seen)) {
        seen[source] = 1
        order[++sources] = source
    }
    waiting = ""
    next
}
!on { next }
/^function / { waiting = $2; calls = $4; next }
/^branch +[0-9]+ / {
    if (bare) next
    n = branches[source, line]
    place = $2 + 0
    if (place + 1 > n) branches[source, line] = place + 1
    if ($3 == "taken") {
        taken[source, line, place] += $4
        asked[source, line] = 1
    }
    next
}
/^ *[-#=0-9]+\*?: *[0-9]+:/ {
    at = index($0, ":")
    count = substr($0, 1, at - 1)
    rest = substr($0, at + 1)
    line = substr(rest, 1, index(rest, ":") - 1) + 0
    gsub(/[ *]/, "", count)
    bare = rest ~ /ASSERT\(|NEVER\(/
    if (line == 0) next
    if (waiting != "") {
        if (!((source, waiting) in starts)) {
            starts[source, waiting] = line
            functions[source] = functions[source] " " waiting
        }
        called[source, waiting] += calls
        waiting = ""
    }
    if (count == "-") next
    if (line > last[source]) last[source] = line
    code[source, line] = 1
    if (count ~ /^[0-9]+$/) times[source, line] += count
}

# A number as it stands: not every awk prints large ones so by itself.
function whole(x) { return sprintf("%.0f", x) }

END {
    for (s = 1; s <= sources; s++) {
        source = order[s]
        print "TN:" test
        print "SF:" source
        n = split(functions[source], name, " ")
        hit = 0
        for (i = 1; i <= n; i++) print "FN:" starts[source, name[i]] "," name[i]
        for (i = 1; i <= n; i++) {
            print "FNDA:" whole(called[source, name[i]]) "," name[i]
            hit += called[source, name[i]] > 0
        }
        print "FNF:" n
        print "FNH:" hit
        found = hit = 0
        for (l = 1; l <= last[source]; l++)
            for (b = 0; b < branches[source, l]; b++) {
                if ((source, l) in asked) print "BRDA:" l ",0," b "," whole(taken[source, l, b])
                else print "BRDA:" l ",0," b ",-"
                found++
                hit += taken[source, l, b] > 0
            }
        print "BRF:" found
        print "BRH:" hit
        found = hit = 0
        for (l = 1; l <= last[source]; l++)
            if ((source, l) in code) {
                print "DA:" l "," whole(times[source, l])
                found++
                hit += times[source, l] > 0
            }
        print "LF:" found
        print "LH:" hit
        print "end_of_record"
    }
}
