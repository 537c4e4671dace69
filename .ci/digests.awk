# From `fencepost run --json`, one object a line, to lines "digest file case".
# A quotation mark within a JSON text is escaped, so `","` ends a text.
function value(text, key,    from) {
    from = index(text, "\"" key "\":\"")
    if (!from)
        return ""
    text = substr(text, from + length(key) + 4)
    return substr(text, 1, match(text, /[^\\]"[,}\]]/))
}
{
    file = value($0, "file")
    n = split($0, piece, /\{"case":/)
    for (i = 2; i <= n; i++) {
        digest = value(piece[i], "digest")
        print digest == "" ? "none" : digest, file, value("\"case\":" piece[i], "case")
    }
}
