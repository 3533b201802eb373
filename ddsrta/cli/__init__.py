"""The commands, one small file each: `arguments(parser)` and `run(options) -> exit status`."""
