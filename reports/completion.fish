
# Whether the command, the first word, is $argv[1]; without one, whether there is none yet.
function __fencepost_on
    set -l words (commandline -opc)
    if test (count $argv) -eq 0
        test (count $words) -eq 1
    else
        test (count $words) -gt 1; and test $words[2] = $argv[1]
    end
end

# The names that the files of this command line, or those named behind it, give by a line `$argv[1] NAME ...`: `case`,
# `param`.
function __fencepost_named
    set -l words $argv[2..-1]
    if test (count $words) -eq 0
        set words (commandline -opc)
    end
    for word in (string replace -r '^~/' $HOME/ -- $words)
        test -f $word; and sed -n "s/^$argv[1]  *\([A-Za-z0-9_.-]\{1,\}\)[ =].*/\1/p" $word
    end
end

function __fencepost_case
    __fencepost_named case
end

function __fencepost_param
    string replace -r '$' = -- (__fencepost_named param)
end

# Scenarios first, then folders and other files. FILE:CASE too.
function __fencepost_scenario
    set -l word (commandline -ct)
    if string match -q '*:*' -- $word
        set -l file (string replace -r ':[^:]*$' '' -- $word)
        for name in (__fencepost_named case $file)
            echo $file:$name
        end
    else
        __fish_complete_suffix .fence
    end
end

complete -c fencepost -f
complete -c fencepost -n __fencepost_on -a '(__fencepost_command)'
complete -c fencepost -n __fencepost_on -l help -d 'every command, a line each'
complete -c fencepost -n __fencepost_on -l version -d 'which one this is'
complete -c fencepost -n '__fencepost_on help' -a '(__fencepost_command)'
