"""Centralized coordination: how late the RTI grants tags."""
