"""Changes values in the text of a YAML file, so that its comments and its layout stay.

Each change is put where the tree says that its mapping stands. The result is read again: where it
does not say what was meant (anchors, merge keys, odd layouts), the file is written anew instead.
"""

from __future__ import annotations

from ddsrta.base.diagnostics import InputError
from ddsrta.base.yaml_reader import read_text
from ddsrta.base.yaml_tree import Entry, Node, Tree
from ddsrta.formats.draft import Draft, LeftOut, Mapping, Remark, Value
from ddsrta.formats.yaml_writer import comment, entry, flow, scalar, write
from ddsrta.models.grammar import SYSTEM

Path = tuple[str | int, ...]
_GUESS = "# guessed: "
_HEAD = ("ddsrta", "name")


class YamlEdit:
    """The text of a file, and what it is to become.

    >>> edit = YamlEdit("topics:\\n  a: {size: 1kB}  # measured\\n", "x.yaml")
    >>> edit.set(("topics", "a"), "priority", 3)
    >>> edit.set(("topics", "a"), "size", "2kB", "guessed: doubled")
    >>> print(edit.text()[0], end="")
    topics:
      a: {priority: 3, size: 2kB}  # measured  # guessed: doubled
    """

    def __init__(self, text: str, file: str) -> None:
        self.tree: Tree = read_text(text, file)
        self.data = _plain(self.tree.root)
        self.lines = text.split("\n")
        self.inserts: list[
            tuple[int, int, int, str]
        ] = []  # line, column, how much goes, what comes
        self.comments: list[str] = []
        self.possible = True

    def set(self, path: Path, key: str, value: Value, remark: str = "") -> None:
        """Give a key of the mapping at a path a value; a new section may be begun at ()."""
        target = self.mapping(path)
        old = target.get(key)
        target[key] = Remark(value, remark) if remark else value
        node = self._node(path)
        if node is None or not isinstance(node.value, dict):
            self.possible = False  # inside of what was set before
        elif key in node.value and not isinstance(old, dict | list):
            self._replace(key, node.value[key].node, value, remark)
        elif key not in node.value:
            self._insert(node, key, value, remark)
        else:
            self.possible = False

    def mapping(self, path: Path) -> Mapping:
        """The mapping at a path, as it is to become."""
        found: Value = self.data
        for step in path:
            if isinstance(step, int):
                assert isinstance(found, list), path
                found = found[step]
            else:
                assert isinstance(found, dict), path
                found = found[step]
            found = found.value if isinstance(found, Remark) else found
        assert isinstance(found, dict), path
        return found

    def text(self) -> tuple[str, bool]:
        """The new text, and whether its comments are those of the old one."""
        if self.possible:
            text = self._edited()
            try:
                if _plain(read_text(text).root) == _without_remarks(self.data):
                    return text, True
            except InputError:
                pass
        draft = Draft(str(self.data.get("name", "system")), head=self.comments)
        draft.sections |= {key: value for key, value in self.data.items() if key not in _HEAD}
        return write(draft), False

    def _node(self, path: Path) -> Node | None:
        node = self.tree.root
        for step in path:
            if isinstance(node.value, dict) and step in node.value:
                node = node.value[str(step)].node
            elif isinstance(node.value, list) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
            else:
                return None
        return node

    def _replace(self, key: str, node: Node, value: Value, remark: str) -> None:
        """Put a scalar in the place of another; what was guessed is a guess no more."""
        assert isinstance(value, str | int)
        line, column = node.line - 1, node.column - 1
        rest = self.lines[line][column:] if line < len(self.lines) else ""
        old = str(node.value)
        for written in (old, f"'{old}'", f'"{old}"') if old else ():
            if rest.startswith(written):
                behind = rest[len(written) :]
                gone = len(written)
                if behind.lstrip().startswith(_GUESS):
                    gone += len(behind.removesuffix("\r"))
                elif _GUESS in behind:
                    end = len(self.lines[line].removesuffix("\r"))
                    self.inserts.append((line, end, 0, f"; not any more: {key}"))
                self.inserts.append((line, column, gone, scalar(value)))
                self._remark(line, remark)
                return
        self.possible = False

    def _insert(self, node: Node, key: str, value: Value, remark: str) -> None:
        """A key more: in front of the second one, which is a place within the mapping for sure."""
        assert isinstance(node.value, dict)
        keys = [place for place in node.value.values() if place.line >= node.line]
        flowing = self._at(node.line - 1, node.column - 1) == "{"
        if node is self.tree.root and key in SYSTEM.keys and not flowing:
            self._section(node.value, key, value)
        elif flowing:
            line, column = node.line - 1, node.column
            if len(keys) > 1:
                line, column = keys[1].line - 1, keys[1].column - 1
            comma = ", " if node.value else ""
            text = f"{scalar(key)}: {flow(_without_remarks(value))}{comma}"
            self.inserts.append((line, column, 0, text))
            self._remark(line, remark)
        elif keys:
            line, column = keys[len(keys) > 1].line - 1, keys[0].column - 1
            told: Value = Remark(value, remark) if remark else value
            new = "\n".join(entry(key, told, column)).lstrip()
            self.inserts.append((line, column, 0, f"{new}\n{' ' * column}"))
        else:
            self.possible = False

    def _at(self, line: int, column: int) -> str:
        return self.lines[line][column : column + 1] if line < len(self.lines) else ""

    def _section(self, sections: dict[str, Entry], key: str, value: Value) -> None:
        """A section more: above the first of those that usually follow it, or at the end."""
        text = "\n".join(entry(key, value, 0, fold=False))
        known = list(SYSTEM.keys)
        later = [sections[s] for s in known[known.index(key) :] if s in sections]
        if later:
            line = min(place.line for place in later) - 1
            self.inserts.append((line, 0, 0, text + "\n"))
        else:
            last = len(self.lines) - 1
            end = f"{text}\n" if not self.lines[last] else f"\n{text}"
            self.inserts.append((last, len(self.lines[last]), 0, end))

    def head(self, comments: list[str]) -> None:
        """Comments above everything else."""
        self.comments += comments
        text = "".join(f"{comment(line)}\n" for line in comments)
        self.inserts.append((0, 0, 0, text))

    def _remark(self, line: int, remark: str) -> None:
        if remark:
            end = len(self.lines[line].removesuffix("\r"))
            self.inserts.append((line, end, 0, "  " + comment(remark)))

    def _edited(self) -> str:
        lines = list(self.lines)
        order = sorted(enumerate(self.inserts), key=lambda i: (i[1][0], i[1][1], i[0]))
        for _, (line, column, gone, text) in reversed(order):
            old = lines[line]
            lines[line] = old[:column] + text + old[column + gone :]
        return "\n".join(lines)


def _plain(node: Node) -> Mapping:
    """The data of a mapping without its places; aliases are copied."""
    found = _value(node)
    assert isinstance(found, dict)
    return found


def _value(node: Node) -> Value:
    if isinstance(node.value, dict):
        return {key: _value(part.node) for key, part in node.value.items()}
    if isinstance(node.value, list):
        return [_value(part) for part in node.value]
    return {} if node.is_null else node.value  # what is left empty is a mapping wherever it may be


def _without_remarks(value: Value) -> Value:
    """As it will be read again: numbers are texts."""
    if isinstance(value, Remark):
        return _without_remarks(value.value)
    if isinstance(value, dict):
        return {k: _without_remarks(v) for k, v in value.items() if not isinstance(v, LeftOut)}
    if isinstance(value, list):
        return [_without_remarks(part) for part in value]
    return str(value)
