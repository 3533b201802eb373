"""Keys of other tools' files that nobody reads are told, with their first place and how many more."""

from __future__ import annotations

from pathlib import Path

from ddsrta.formats import caret, irobot

from . import drafted

TOPOLOGY = """\
{"nodes": [
  {"node_name": "eye", "publishers": [
    {"topic_name": "a", "msg_type": "stamped1kb", "period_ms": 10, "msg_pass_by": "unique_ptr"},
    {"topic_name": "b", "msg_type": "stamped1kb", "period_ms": 5, "freq_hz": 3, "qos_lifespan": 4}
  ], "affinity": 2},
  {"node_name": "ear", "subscribers": [
    {"topic_name": "a", "msg_type": "stamped1kb", "msg_pass_by": "shared_ptr"}]}
], "seed": 7}
"""
ARCHITECTURE = """\
nodes:
- node_name: /eye
  budget: 3
  callbacks:
  - callback_name: /eye/callback_0
    callback_type: timer_callback
    period_ns: 100000000
    symbol: Eye::look()
    deadline_ns: 5000000
  publishes:
  - topic_name: /image
    callback_names: [/eye/callback_0]
  message_contexts:
  - context_type: use_latest_message
"""


def test_keys_of_a_topology(tmp_path: Path) -> None:
    draft = irobot.read([drafted.written(tmp_path, "robot.json", TOPOLOGY)])
    assert {line for line in draft.left_out if line.endswith(": not read")} == {
        "'msg_pass_by' (robot.json:3:68, and 1 more): not read",
        "'period_ms' (robot.json:4:51): not read",  # freq_hz wins
        "'qos_lifespan' (robot.json:4:81): not read",
        "'affinity' (robot.json:5:6): not read",
        "'seed' (robot.json:8:4): not read",
    }


def test_keys_of_an_architecture(tmp_path: Path) -> None:
    draft = caret.read([drafted.written(tmp_path, "arch.yaml", ARCHITECTURE)])
    assert {line for line in draft.left_out if line.endswith(": not read")} == {
        "'budget' (arch.yaml:3:3): not read",
        "'deadline_ns' (arch.yaml:9:5): not read",
        "'message_contexts' (arch.yaml:13:3): not read",
    }
