"""What a result rests on: certificate, assumptions, and the answer of the checker."""
