"""How large messages of iRobot's ros2-performance are, by the names of their types."""

from __future__ import annotations

import re

_HEADER = 20  # stamp (8 B), tracking number, frequency and size (4 B each)
_ENCAPSULATION = 4  # of CDR, in front of each payload
_BYTES = re.compile(r"stamped([0-9]{1,6})(b|kb|mb)", re.I)
_NUMBERS = re.compile(r"stamped([0-9]{0,6})_?(?:float|int)(32|64)", re.I)
# The definitions differ: Stamped25kb holds 25,000 B, Stamped1kb 1024, Stamped5mb 5,120,000,
# Stamped4mb 4,194,304. The largest of them never promises too much.
_UNITS = {"b": 1, "kb": 1 << 10, "mb": 1 << 20}


def payload(kind: str, vector: int | None = None) -> tuple[int | None, str]:
    """The size of a message's payload, and why that is a guess, if it is one.

    >>> payload("stamped10b"), payload("irobot_interfaces_plugin::msg::Stamped9Float32")
    ((34, ''), (60, ''))
    >>> payload("stamped_int64")
    (36, '')
    >>> payload("stamped_vector", 5000)
    (5028, '')
    >>> payload("image")
    (None, "not in the file: the type is 'image'")
    """
    name = kind.rpartition("::")[2].rpartition("/")[2].replace("stamped_", "stamped")
    if match := _BYTES.fullmatch(name):
        data = int(match[1]) * _UNITS[match[2].lower()]
    elif match := _NUMBERS.fullmatch(name):
        width = int(match[2]) // 8
        data = int(match[1] or 1) * width + (width == 8) * 4  # 64 bits begin at a multiple of 8
    elif name.lower() == "stampedvector" and vector is not None:
        data = vector + 4  # its length
    elif name.lower() == "stampedvector":
        return None, "not in the file: nobody tells 'msg_size'"
    else:
        return None, f"not in the file: the type is {kind!r}"
    return _ENCAPSULATION + _HEADER + data, ""
