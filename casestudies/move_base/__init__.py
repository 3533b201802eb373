"""A navigation system in the manner of move_base: services, actions, costmaps, two executors."""
