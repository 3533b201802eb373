"""Changes of a system after which its deadlines hold, or fewer of them do not, smallest first."""
