# The ten longest functions, from `{` in the first column to `}` in the first column, and the length that
# 95 in 100 functions do not exceed.
/^[a-zA-Z_].*\(/ && !/;[ \t]*$/ && !/^(typedef|struct|enum|union)[^(]*\{/ { head = $0; at = FNR }
/^\{/ || /^[a-zA-Z_].*\) \{$/ { from = at }
/^\}/ && from {
    name = head
    sub(/\(.*/, "", name)
    sub(/.*[ *]/, "", name)
    n++
    length_of[n] = FNR - from + 1
    where[n] = sprintf("%4d  %-32s %s:%d", length_of[n], name, FILENAME, from)
    from = 0
}
END {
    for (i = 2; i <= n; i++) # insertion sort, longest first
        for (j = i; j > 1 && length_of[j] > length_of[j - 1]; j--) {
            t = length_of[j]; length_of[j] = length_of[j - 1]; length_of[j - 1] = t
            t = where[j]; where[j] = where[j - 1]; where[j - 1] = t
        }
    for (i = 1; i <= n && i <= 10; i++)
        print where[i]
    printf "%d functions; p95 %d lines, median %d\n", n, length_of[int(n * 5 / 100) + 1], length_of[int((n + 1) / 2)]
}
