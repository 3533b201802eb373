"""The tables of the navigation system."""

from __future__ import annotations

from functools import partial

from casestudies.seen import callback_table, chain_table

STUDY, SYSTEM = "move_base", "navigation"
TABLES = {
    "chains": partial(chain_table, STUDY, SYSTEM),
    "callbacks": partial(callback_table, STUDY, SYSTEM),
}
