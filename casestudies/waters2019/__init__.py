"""Section 6.3 of the base paper: the WATERS 2019 industrial challenge as publish/subscribe."""
