"""One self-contained page of a system and its bounds."""
