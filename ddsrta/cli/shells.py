"""Scripts that complete calls, from the list of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

from ddsrta.cli.calls import Call, Option

_BASH = """\
# bash completion of ddsrta
_ddsrta() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} call="" word words=""
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "${{call:+$call }}$word" in
            {calls}) call="${{call:+$call }}$word" ;;
        esac
    done
    case "$call $prev" in
{values}
    esac
    case "$call" in
{options}
    esac
    if [[ $cur == -* ]]; then words=$options; fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    [[ -z $call || $cur == -* || -n $subcommands ]] || COMPREPLY+=($(compgen -f -- "$cur"))
}}
complete -o filenames -F _ddsrta ddsrta
"""


def bash(calls: Sequence[Call]) -> str:
    """For bash.

    >>> from ddsrta.cli.calls import calls
    >>> bash(calls()).splitlines()[-1]
    'complete -o filenames -F _ddsrta ddsrta'
    """
    known = "|".join(f'"{" ".join(call.words)}"' for call in calls if call.words)
    values, options = [], []
    for call in calls:
        own = " ".join(call.words)
        for option in call.options:
            if option.names and option.value:
                found = "-f"
                if option.choices:
                    found = f'-W "{" ".join(option.choices)}"'
                elif option.is_folder:
                    found = "-d"
                elif not option.is_file:
                    found = '-W ""'
                names = "|".join(f'"{own} {name}"' for name in option.names)
                line = f'COMPREPLY=($(compgen {found} -- "$cur")); return'
                values.append(f"        {names}) {line} ;;")
        below = [c.words[-1] for c in calls if c.words and c.words[:-1] == call.words]
        words = [*below, *_choices(call)]
        said = f'local options="{" ".join(call.flags)}" subcommands="{" ".join(below)}"'
        options.append(f'        "{own}") {said}; words="{" ".join(words)}" ;;')
    return _BASH.format(calls=known, values="\n".join(values), options="\n".join(options))


def _choices(call: Call) -> list[str]:
    """The words that an argument may be."""
    return [word for option in call.options if not option.names for word in option.choices]


def zsh(calls: Sequence[Call]) -> str:
    """For zsh.

    >>> from ddsrta.cli.calls import calls
    >>> zsh(calls()).splitlines()[0]
    '#compdef ddsrta'
    """
    lines = ["#compdef ddsrta", ""]
    for call in calls:
        name = "_".join(["_ddsrta", *call.words]).replace("-", "_")
        below = [c for c in calls if c.words and c.words[:-1] == call.words]
        lines += [f"{name}() {{"]
        named = [option for option in call.options if option.names]
        specs = [quote(spec) for option in named for spec in _zsh_specs(option)]
        if below:
            described = [quote(f"{c.words[-1]}:{_plain(c.summary)}") for c in below]
            lines += ["    local -a subs=(", *(f"        {each}" for each in described), "    )"]
            lines += [
                "    if (( CURRENT > 2 )) && (( $+functions[" + name + "_${words[2]//-/_}] ))"
            ]
            lines += [
                "    then",
                "        shift words; (( CURRENT-- ))",
                f"        {name}_${{words[1]//-/_}}",
            ]
            lines += ["    else", "        _describe -t commands command subs"]
            lines += [f"        _arguments {' '.join(specs)}", "    fi"]
        else:
            choices = " ".join(_choices(call))
            rest = [quote(f"1:word:({choices})")] if choices else []
            rest += [quote("*:file:_files")]
            lines += [" \\\n        ".join(["    _arguments", *specs, *rest])]
        lines += ["}", ""]
    lines += ['_ddsrta "$@"']
    return "\n".join(lines) + "\n"


def _zsh_specs(option: Option) -> list[str]:
    """One for each name, not offered beside the others: "(-o --output)-o[…]:FILE:_files"."""
    text = _plain(option.help).replace("[", "(").replace("]", ")")
    value = ""
    if option.value:
        found = " "
        if option.choices:
            found = f"({' '.join(option.choices)})"
        elif option.is_folder:
            found = "_files -/"
        elif option.is_file:
            found = "_files"
        value = f":{_plain(option.value)}:{found}"
    others = f"({' '.join(option.names)})" if len(option.names) > 1 else ""
    return [f"{others}{name}[{text}]{value}" for name in option.names]


def _plain(text: str) -> str:
    """A description on one line, in which a colon separates nothing."""
    return " ".join(text.split()).replace(":", ";")


def fish(calls: Sequence[Call]) -> str:
    """For fish.

    >>> from ddsrta.cli.calls import calls
    >>> "-l baseline -r" in fish(calls())
    True
    """
    lines = ["# fish completion of ddsrta"]
    for call in calls:
        seen = [f"__fish_seen_subcommand_from {word}" for word in call.words]
        below = [c for c in calls if c.words and c.words[:-1] == call.words]
        if below:
            names = " ".join(c.words[-1] for c in below)
            seen.append(f"not __fish_seen_subcommand_from {names}")
        begin = f"complete -c ddsrta -n {quote('; and '.join(seen))}"
        for sub in below:
            about = quote(_plain(sub.summary))
            lines.append(f"{begin} -f -a {sub.words[-1]} -d {about}")
        if choices := _choices(call):
            lines.append(f"{begin} -a {quote(' '.join(choices))}")
        for option in call.options:
            if option.names:
                lines.append(f"{begin} {_fish_option(option)} -d {quote(_plain(option.help))}")
    return "\n".join(lines) + "\n"


def _fish_option(option: Option) -> str:
    names = [
        f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
    ]
    found = " ".join(names)
    if not option.value:
        return found
    if option.choices:
        return f"{found} -x -a {quote(' '.join(option.choices))}"
    return f"{found} -r" + ("" if option.is_file or option.is_folder else " -f")
