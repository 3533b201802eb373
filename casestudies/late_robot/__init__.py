"""A robot of two machines with three late chains, and the repair that `ddsrta improve` finds."""
