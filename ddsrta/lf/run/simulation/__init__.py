"""Plain simulators of Lingua Franca's runtime, written without a line of the analysis."""
