"""From a System to bounds: compile, solve, follow the chains, present."""
