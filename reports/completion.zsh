
# The names that the files of this command line, or file $2, give by a line `$1 NAME ...`: `case`, `param`.
_fencepost_named() {
    local word
    for word in ${2:-$words}; do
        word=${(Q)word}
        word=${word/#\~\//$HOME/}
        [[ -f $word ]] && sed -n "s/^$1  *\([A-Za-z0-9_.-]\{1,\}\)[ =].*/\1/p" $word
    done
}

_fencepost_case() {
    local -a found=(${(f)"$(_fencepost_named case)"})
    compadd -a found
}

_fencepost_param() {
    local -a found=(${(f)"$(_fencepost_named param)"})
    compadd -S = -a found
}

# Scenarios and folders; where there are none, any file. FILE:CASE too.
_fencepost_scenario() {
    if compset -P 1 '*:'; then
        local -a found=(${(f)"$(_fencepost_named case ${IPREFIX%:})"})
        compadd -a found
    else
        _files -g '*.fence'
    fi
}

_fencepost() {
    local curcontext=$curcontext
    if (( CURRENT == 2 )); then
        _arguments : '--help[every command, a line each]' '--version[which one this is]' ':command:_fencepost_command'
    elif [[ $words[2] == help ]]; then
        _fencepost_command
    elif (( $+functions[_fencepost_on_$words[2]] )); then
        shift words
        (( CURRENT-- ))
        _fencepost_on_$words[1]
    fi
}

_fencepost "$@"
