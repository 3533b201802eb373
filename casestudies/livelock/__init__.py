"""A flow controller that is more urgent than its publisher on the same core, and the repair."""
