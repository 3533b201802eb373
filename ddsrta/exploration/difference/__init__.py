"""What changed between two models, what that did to each bound, and which change did it."""
