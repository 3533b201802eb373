"""What `ddsrta lf` prints: for each command one document, and the tables that are made of it."""
