"""Why a bound is what it is, term by term."""
