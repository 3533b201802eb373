"""What threads wait for in Fast DDS beside processors: locks and datagrams (theory 21)."""
