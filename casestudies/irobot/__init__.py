"""A small topology in the format of iRobot's benchmark, drafted, and finished by hand."""
