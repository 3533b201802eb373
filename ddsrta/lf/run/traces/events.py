"""The kinds of events: their numbers in `.lft` files, which changed over time, and names in CSV."""

from __future__ import annotations

from collections.abc import Collection

_LOCAL = (
    "reaction_starts", "reaction_ends", "reaction_deadline_missed", "schedule_called",
    "user_event", "user_value", "worker_wait_starts", "worker_wait_ends",
    "scheduler_advancing_time_starts", "scheduler_advancing_time_ends", "federated",
)  # fmt: skip
_MESSAGES = (
    "ACK", "FAILED", "TIMESTAMP", "NET", "LTC", "STOP_REQ", "STOP_REQ_REP", "STOP_GRN", "FED_ID",
    "PTAG", "TAG", "REJECT", "RESIGN", "PORT_ABS", "CLOSE_RQ", "TAGGED_MSG", "P2P_TAGGED_MSG",
    "MSG", "P2P_MSG", "ADR_AD", "ADR_QR", "ADR_QR_REP", "DNET",
)  # fmt: skip
# The first version of Lingua Franca with each table, and the messages that it did not have yet.
_WITHOUT = {"0.12": (), "0.10": ("ADR_QR_REP",), "0.6": ("ADR_QR_REP", "DNET"), "0.5": ()}
_WITHOUT["0.5"] = ("ADR_QR_REP", "DNET", "FAILED")

_CSV_LOCAL = (
    "Reaction starts", "Reaction ends", "Reaction deadline missed", "Schedule called",
    "User-defined event", "User-defined valued event", "Worker wait starts", "Worker wait ends",
    "Scheduler advancing time starts", "Scheduler advancing time ends", "Federated marker",
)  # fmt: skip

# What federates and the RTI never do, and what the RTI always does: a file for which that does not
# hold was read with the wrong table.
_RTI_ONLY = ("TAG", "PTAG", "DNET", "ADR_QR_REP", "STOP_GRN")
_FEDERATE_ONLY = ("NET", "LTC", "FED_ID", "ADR_AD", "ADR_QR", "CLOSE_RQ", "P2P_TAGGED_MSG")
_NEVER_RTI = {
    *(f"send_{name}" for name in _FEDERATE_ONLY), *(f"receive_{name}" for name in _RTI_ONLY),
    "reaction_starts",
}  # fmt: skip
_NEVER_FEDERATE = {
    *(f"send_{name}" for name in _RTI_ONLY), "receive_NET", "receive_LTC", "receive_ADR_AD",
    "receive_ADR_QR", "receive_UNIDENTIFIED",
}  # fmt: skip
_ALWAYS_RTI = ("receive_FED_ID", "receive_TIMESTAMP", "send_TIMESTAMP")
# Without a federation there are at most the messages between enclaves.
_ENCLAVES = {"send_NET", "send_LTC", "send_TAGGED_MSG", "send_PORT_ABS", "receive_TAG"}


def _table(without: tuple[str, ...]) -> tuple[str, ...]:
    messages = [message for message in _MESSAGES if message not in without]
    sent = [f"send_{message}" for message in messages]
    received = [f"receive_{message}" for message in messages]
    return (*_LOCAL, *sent, *received, "receive_UNIDENTIFIED")


TABLES = {version: _table(without) for version, without in _WITHOUT.items()}
NEWEST = "0.12"
BY_CSV_NAME = dict(zip(_CSV_LOCAL, _LOCAL, strict=True)) | {
    f"{verb} {name.partition('_')[2]}": name
    for name in TABLES[NEWEST][len(_LOCAL) :]
    for verb in (("Sending",) if name.startswith("send_") else ("Receiving",))
}


def table_of(version: str) -> str | None:
    """The table that a version of Lingua Franca has; None for one before the first.

    >>> table_of("0.13"), table_of("0.11.0"), table_of("0.7.2"), table_of("0.4")
    ('0.12', '0.10', '0.6', None)
    """
    wanted = _numbers(version)
    return next((first for first in TABLES if _numbers(first) <= wanted), None)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def misfit(events: Collection[str], rti: bool) -> str:
    """Why a file of the RTI, or of another process, cannot hold these events; or ''.

    >>> misfit({"send_FED_ID", "send_DNET"}, rti=False)
    'a federate has no send_DNET'
    >>> misfit({"send_NET", "receive_TAG"}, rti=False)
    ''
    """
    if not events:
        return ""
    if rti:
        missing = [event for event in _ALWAYS_RTI if event not in events]
        wrong = sorted(_NEVER_RTI.intersection(events))
        who = "the RTI"
    else:
        missing, who = [], "a federate"
        wrong = sorted(_NEVER_FEDERATE.intersection(events))
        if "send_FED_ID" not in events and not wrong:
            who = "a program that is no federate"
            wrong = sorted(set(events) - set(_LOCAL) - _ENCLAVES)
    if wrong:
        return f"{who} has no {wrong[0]}"
    return f"{who} always has {missing[0]}" if missing else ""
