"""What a federation is: its record, its file, and the language of programs."""
