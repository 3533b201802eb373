"""What a federation is: its record, its file, and programs of Lingua Franca that become one."""
