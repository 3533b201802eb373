"""Design spaces of other case studies, explored."""
