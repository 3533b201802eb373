"""Quantities are exact, in both directions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddsrta.base.units import (
    BYTES,
    LONGEST_DURATION,
    NANOSECONDS,
    Duration,
    format_duration,
    format_size,
    parse_duration,
    parse_size,
)


@given(st.integers(0, LONGEST_DURATION))
def test_a_printed_duration_reads_as_itself(nanoseconds: int) -> None:
    assert parse_duration(format_duration(nanoseconds)) == nanoseconds
    assert str(Duration(nanoseconds)) == format_duration(nanoseconds)


@given(st.integers(0, 1 << 50))
def test_a_printed_size_reads_as_itself(size: int) -> None:
    assert parse_size(format_size(size)) == size


@given(st.integers(1, LONGEST_DURATION))
def test_a_negative_duration_prints_with_its_sign(nanoseconds: int) -> None:
    assert format_duration(-nanoseconds) == "-" + format_duration(nanoseconds)


@given(
    st.integers(0, 10**12),
    st.text(st.sampled_from("0123456789"), max_size=12),
    st.sampled_from([*NANOSECONDS]),
    st.sampled_from(["", " ", "\u00a0", "  "]),
)
def test_a_fraction_is_exact_or_refused(whole: int, digits: str, unit: str, space: str) -> None:
    text = f"{whole}{'.' if digits else ''}{digits}{space}{unit}"
    exact = Fraction(f"{whole}.{digits or 0}") * NANOSECONDS[unit]
    if exact.denominator == 1 and exact <= LONGEST_DURATION:
        assert parse_duration(text) == exact
    else:
        with pytest.raises(ValueError, match=r"finer than one nanosecond|too large"):
            parse_duration(text)


def test_binary_and_decimal_sizes() -> None:
    assert [parse_size(f"1{unit}") for unit in BYTES] == [
        1, 1000, 1000, 1000**2, 1000**3, 1024, 1024**2, 1024**3,
    ]  # fmt: skip


def test_both_letters_for_micro() -> None:
    assert parse_duration("5µs") == parse_duration("5μs") == parse_duration("5us") == 5000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("10", "'10' has no unit: write for example '10 us' or '10 ms'"),
        (" 1.5 ", "' 1.5 ' has no unit: write for example '1.5 us' or '1.5 ms'"),
        ("", "'' is not a quantity such as '10 ms'"),
        ("ms", "'ms' is not a quantity such as '10 ms'"),
        ("1e3us", "'1e3us' is not a quantity such as '10 ms'"),
        ("１ms", "'１ms' is not a quantity such as '10 ms'"),
        ("１ns", "'１ns' is not a quantity such as '10 ms'"),
        ("1 2ms", "'1 2ms' is not a quantity such as '10 ms'"),
        ("1ms ms", "'1ms ms' is not a quantity such as '10 ms'"),
        ("1,5 ms", "'1,5 ms' has a comma: write '1.5 ms'"),
        ("10msec", "unknown unit 'msec' in '10msec': did you mean 'ms'?"),
        ("10 seconds", "unknown unit 'seconds' in '10 seconds': did you mean 's'?"),
        ("10 MIN", "unknown unit 'MIN' in '10 MIN': did you mean 'min'?"),
        ("1m", "unknown unit 'm' in '1m': did you mean 'min'?"),
        ("5 Hz", "unknown unit 'Hz' in '5 Hz': use one of ns, us, µs, ms, s, min, h"),
        ("-1ms", "'-1ms' is negative"),
        ("-0ms", "'-0ms' is negative"),
        ("0.1ns", "'0.1ns' is finer than one nanosecond"),
        ("105 h 1", "'105 h 1' is not a quantity such as '10 ms'"),
        ("9007199254740993ns", "'9007199254740993ns' is too large: at most 104 days"),
        ("2600h", "'2600h' is too large: at most 104 days"),
        ("9" * 400 + "s", f"'{'9' * 40}…' is not a quantity such as '10 ms'"),
    ],
)
def test_what_is_wrong_with_a_duration(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_duration(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1000", "'1000' has no unit: write for example '1000 B' or '1000 kB'"),
        ("1kb", "unknown unit 'kb' in '1kb': did you mean 'kB'?"),
        ("1k", "unknown unit 'k' in '1k': did you mean 'kB'?"),
        ("3 bytes", "unknown unit 'bytes' in '3 bytes': did you mean 'B'?"),
        ("0.5B", "'0.5B' is finer than one byte"),
        ("2000000GB", "'2000000GB' is too large: at most 1 PiB"),
        ("1ms", "unknown unit 'ms' in '1ms': use one of B, kB, KB, MB, GB, KiB, MiB, GiB"),
    ],
)
def test_what_is_wrong_with_a_size(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_size(text)
    assert str(caught.value) == message
