"""ROS 2: executors and their callbacks."""
