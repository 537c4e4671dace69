
# Of the lines of its input those that begin with $1. (compgen -W would expand what it is given.)
_fencepost_starting()
{
    local line
    while IFS= read -r line; do
        case $line in "$1"*) printf '%s\n' "$line" ;; esac
    done
}

# The names that the files of this command line give by a line `$1 NAME ...`: `case`, `param`.
_fencepost_named()
{
    local word
    for word in "${COMP_WORDS[@]:2}"; do
        word=${word//[\\\'\"]/}
        case $word in "~/"*) word=$HOME/${word#"~/"} ;; esac
        [ -f "$word" ] && sed -n "s/^$1  *\([A-Za-z0-9_.-]\{1,\}\)[ =].*/\1/p" "$word"
    done
}

# Scenarios and folders; where there are none, any file: a record of a search, an input of a fuzz target.
_fencepost_scenarios()
{
    local found
    found=$(compgen -f -X '!*.fence' -- "$1"; compgen -d -- "$1")
    [ -n "$found" ] || found=$(compgen -f -- "$1")
    printf '%s\n' "$found"
}

# Every word that can stand where $word does, one a line.
_fencepost_found()
{
    case $value in
    '' | any) ;;
    option) printf '%s\n' $options | _fencepost_starting "$word" ;;
    case) _fencepost_named case | _fencepost_starting "$word" ;;
    param) _fencepost_named param | sed 's/$/=/' | _fencepost_starting "$word" ;;
    scenario) _fencepost_scenarios "$word" ;;
    file) compgen -f -- "$word" ;;
    folder) compgen -d -- "$word" ;;
    *) _fencepost_words "$value" | _fencepost_starting "$word" ;;
    esac
}

_fencepost()
{
    local IFS=$' \t\n' i options='' operands='' value='' only_operands=''
    local command=${COMP_WORDS[1]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}

    # Bash makes words of their own of `=` and `:`, in --option=value and FILE:CASE.
    case $word in
    = | :)
        [ "$word" = = ] || before=:
        word=
        ;;
    *)
        [ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD-2]}
        ;;
    esac
    for ((i = 2; i < COMP_CWORD; i++)); do
        [ "${COMP_WORDS[i]}" != -- ] || only_operands=yes
    done

    if [ "$COMP_CWORD" -eq 1 ]; then
        options='--help --version' operands='command'
    elif [ "$command" = help ]; then
        operands='command'
    else
        _fencepost_on "$command" "${only_operands:-$before}" # behind -- no word takes a value
    fi
    if [ "$before" = : ]; then
        value=case
    elif [ -z "$value" ]; then
        case $only_operands$word in
        -*) value=option ;;
        *) value=$operands ;;
        esac
    fi

    COMPREPLY=()
    while IFS= read -r i; do
        COMPREPLY+=("$i")
    done < <(_fencepost_found)
    case $value in
    param) compopt -o nospace 2>/dev/null ;;
    scenario | file | folder) compopt -o filenames 2>/dev/null ;;
    esac
}

complete -F _fencepost fencepost
