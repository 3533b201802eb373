"""Two subsystems of Autoware.Auto as federations of Lingua Franca."""
