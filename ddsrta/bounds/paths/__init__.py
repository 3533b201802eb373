"""Latencies along paths (lemma path-latency)."""
