"""Four subscribers of one image: who gets its copy when (Saito et al., ROS 1)."""
