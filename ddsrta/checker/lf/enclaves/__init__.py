"""Confirms what `ddsrta lf enclaves` claims: parts of federates, with tags of their own."""
