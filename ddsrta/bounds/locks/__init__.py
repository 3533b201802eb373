"""What threads wait for in Fast DDS beside processors: locks and datagrams (lemmas sleeping-window
and shared-datagrams)."""
