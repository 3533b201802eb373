"""The LTE uplink of the timing enclaves paper: ten pipelines of eight kernels, seven partitions."""
