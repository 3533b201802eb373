"""Which stages come only after others (definition later-effect)."""
