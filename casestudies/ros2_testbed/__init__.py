"""Section 6.4 of the base paper: three ROS 2 applications in a row, sixteen ways to send."""
