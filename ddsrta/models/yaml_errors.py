"""What is wrong with a text that is not YAML, in words that help."""

from __future__ import annotations

import re

import yaml

from ddsrta.models.diagnostics import Diagnostic, InputError, Position

_INDENTATION = "check the indentation of this line and of those above"
_ADVICE = {
    "found character '\\t' that cannot start any token": "indent with spaces, not with tabs",
    "found character that cannot start any token": "put the text into quotes",
    "mapping values are not allowed in this context": _INDENTATION
    + "; a text that holds ': ' needs quotes",
    "could not find expected ':'": "a key is followed by a colon and a space, as in 'key: value'",
    "did not find expected key": _INDENTATION,
    "did not find expected '-' indicator": _INDENTATION,
    "did not find expected ',' or '}'": "a '{' is closed by '}', its entries are parted by commas",
    "did not find expected ',' or ']'": "a '[' is closed by ']', its entries are parted by commas",
    "did not find expected <document start>": _INDENTATION,
    "found unexpected end of stream": "a quote is not closed",
}
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def check_characters(text: bytes, file: str) -> None:
    """libyaml names no place for a character that no text holds: find it first."""
    try:
        text.decode("utf-8")
        at = text.find(b"\x00")
        problem = "a NUL character"
    except UnicodeDecodeError as error:
        at = error.start
        problem = "not UTF-8 text"
    if at >= 0:
        advice = "save the file as UTF-8" if text[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        before = text[:at].decode("utf-8")
        raise InputError([Diagnostic(_position(before, file), problem, advice)])


def syntax_error(error: yaml.YAMLError, text: bytes, file: str) -> Diagnostic:
    """The parser's complaint with its position, and what to do where the complaint is obscure."""
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        position = Position(file, mark.line + 1, mark.column + 1) if mark else Position(file, 1, 1)
        problem = error.problem or error.context or "cannot be read"
        if "cannot start any token" in problem and _begins_with_tab(text, position):
            problem = "found character '\\t' that cannot start any token"
        return Diagnostic(position, f"not valid YAML: {problem}", _ADVICE.get(problem, ""))
    decoded = text.decode("utf-8")
    if match := _UNPRINTABLE.search(decoded):
        name = f"U+{ord(match[0]):04X}"
        return Diagnostic(_position(decoded[: match.start()], file), f"a control character, {name}")
    message = "not valid YAML: " + str(error).split("\n", 1)[0][:200]
    return Diagnostic(Position(file, 1, 1), message)


def _begins_with_tab(text: bytes, position: Position) -> bool:
    lines = text.decode("utf-8").splitlines()
    line = lines[position.line - 1] if position.line <= len(lines) else ""
    return line[position.column - 1 : position.column] == "\t"


def _position(before: str, file: str) -> Position:
    """The place behind some text, counted as libyaml does."""
    lines = re.split("\r\n|[\r\n\x85\u2028\u2029]", before)
    return Position(file, len(lines), len(lines[-1].removeprefix("\ufeff")) + 1)
