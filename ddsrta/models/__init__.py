"""What a system is: frozen descriptions in the user's words, and the reader that makes them."""
