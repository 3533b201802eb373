"""TSDL's types: integers, floats, strings, enums, structs, variants, arrays, and names for them."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import shown
from ddsrta.formats.ctf.block_parser import BlockParser
from ddsrta.formats.ctf.types import (
    Array,
    Enum,
    Float,
    Integer,
    String,
    Struct,
    Type,
    Variant,
)

_ORDERS = {"le": "le", "be": "be", "network": "be", "native": None}
_TEXT = {"UTF8", "utf8", "UTF-8", "utf-8", "ASCII", "ascii"}
_TRUTH = {"true": True, "TRUE": True, "1": True, "false": False, "FALSE": False, "0": False}
_LONGEST_ARRAY = 1 << 32


class TypeParser(BlockParser):
    """Reads types; names are looked up from the innermost block outwards."""

    def declares_type(self) -> bool:
        """Read a typealias or typedef, if there is one."""
        if self.takes("typealias"):
            type_ = self.type()
            self.expect(":=")
            self._name_type(" ".join(self._words()), type_)
        elif self.takes("typedef"):
            type_, name = self._field()
            self._name_type(name, type_)
        else:
            return False
        self.expect(";")
        return True

    def type(self) -> Type:
        """Read a type that no field name follows."""
        return self._type(of_field=False)

    def _type(self, of_field: bool = True) -> Type:
        self.takes("const")
        for word, read in (
            ("integer", self._integer),
            ("floating_point", self._float),
            ("string", self._string),
            ("enum", self._enum),
            ("struct", self._struct),
            ("variant", self._variant),
        ):
            if self.takes(word):
                return read()
        return self._named(self._words(of_field))

    def _words(self, of_field: bool = False) -> list[str]:
        """The words of a name such as `unsigned long`; the last word of a field is its own name."""
        words = [self.name()]
        while self.token.kind == "name" and len(words) < 8:
            if of_field and self.second().text in (";", ",", "["):
                break
            words.append(self.next().text)
        return words

    def _named(self, words: list[str]) -> Type:
        name = " ".join(words)
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        self.fail(f"no type is named {shown(words[0] if len(words) > 1 else name)}")

    def _name_type(self, name: str, type_: Type) -> None:
        if name in self.scopes[-1]:
            self.fail(f"the type {shown(name)} is declared twice")
        self.scopes[-1][name] = type_

    def _integer(self) -> Integer:
        start = self.token.start
        said = self.attributes()
        size = self.number(said, "size", start, 1, 64)
        default = 8 if size % 8 == 0 else 1
        align = self.alignment(self.number(said, "align", start, 1, 4096, default), start)
        clock = said.get("map")
        return Integer(
            size,
            align,
            self.choice(said, "signed", _TRUTH, False),
            self.choice(said, "byte_order", _ORDERS, None),
            str(said["encoding"].value) in _TEXT if "encoding" in said else False,
            str(clock.value).split(".")[1] if clock and "." in str(clock.value) else None,
        )

    def _float(self) -> Float:
        start = self.token.start
        said = self.attributes()
        exponent = self.number(said, "exp_dig", start, 1, 64)
        mantissa = self.number(said, "mant_dig", start, 1, 128)
        sizes = {(8, 24): 32, (11, 53): 64}
        if (exponent, mantissa) not in sizes:
            self.fail("a floating_point of 32 or 64 bits is needed", start=start)
        align = self.alignment(self.number(said, "align", start, 1, 4096, 8), start)
        order = self.choice(said, "byte_order", _ORDERS, None)
        return Float(sizes[exponent, mantissa], align, order)

    def _string(self) -> String:
        if self.sees("{"):
            self.attributes()
        return String()

    def _enum(self) -> Type:
        name = "" if self.sees(":") or self.sees("{") else self.name()
        start = self.token.start
        container = self._container() if self.takes(":") else None
        if not self.sees("{"):
            return self._named([f"enum {name}"])
        if container is None:
            container = next((scope["int"] for scope in self.scopes if "int" in scope), None)
        if not isinstance(container, Integer):
            self.fail("an enum needs an integer type", start=start)
        enum = Enum(container, tuple(self._enumerators()))
        if name:
            self._name_type(f"enum {name}", enum)
        return enum

    def _container(self) -> Type:
        return self._integer() if self.takes("integer") else self._named(self._words())

    def _enumerators(self) -> Iterator[tuple[str, int, int]]:
        value = 0
        with self.block():
            while not self.sees("}"):
                label = self.next().text if self.token.kind == "string" else self.name()
                if self.takes("="):
                    value = self.integer()
                last = self.integer() if self.takes("...") else value
                if last < value:
                    self.fail(f"the range of {shown(label)} ends before it begins")
                yield label, value, last
                value = last + 1
                if not self.takes(","):
                    break

    def _struct(self) -> Type:
        name = "" if self.sees("{") else self.name()
        if not self.sees("{"):
            return self._named([f"struct {name}"])
        fields = tuple(self._fields())
        align = 1
        if self.takes("align"):
            start = self.expect("(").start
            align = self.alignment(self.integer(), start)
            self.expect(")")
        struct = Struct(fields, align)
        if name:
            self._name_type(f"struct {name}", struct)
        return struct

    def _variant(self) -> Type:
        name = "" if self.sees("{") or self.sees("<") else self.name()
        tag = None
        if self.takes("<"):
            tag = tuple(self.path().split("."))
            self.expect(">")
        if self.sees("{"):
            variant = Variant(tag, tuple(self._fields()))
            if name:
                self._name_type(f"variant {name}", variant)
            return variant
        named = self._named([f"variant {name}"])
        return Variant(tag, named.options) if tag and isinstance(named, Variant) else named

    def _fields(self) -> Iterator[tuple[str, Type]]:
        names = set()
        with self.block():
            while not self.sees("}"):
                if self.declares_type():
                    continue
                start = self.token.start
                type_ = self._type()
                if self.takes(";"):  # a named struct or enum that is declared, not used
                    continue
                while True:
                    name, full = self._declarator(type_)
                    if name in names:
                        self.fail(f"the field {shown(name)} is declared twice", start=start)
                    names.add(name)
                    yield name, full
                    if not self.takes(","):
                        break
                self.expect(";")

    def _field(self) -> tuple[Type, str]:
        name, type_ = self._declarator(self._type())
        return type_, name

    def _declarator(self, type_: Type) -> tuple[str, Type]:
        """A field's name with its brackets; those on the right are the innermost."""
        if self.sees("*"):
            self.fail("a pointer is no type of a trace")
        name = self.name()
        lengths: list[int | tuple[str, ...]] = []
        while self.takes("["):
            start = self.token.start
            if self.token.kind == "name":
                lengths.append(tuple(self.path().split(".")))
            else:
                length = self.integer()
                if not 0 <= length <= _LONGEST_ARRAY:
                    self.fail(f"an array of {length} elements", start=start)
                lengths.append(length)
            self.expect("]")
        for one in reversed(lengths):
            type_ = Array(type_, one)
        return name, type_
