"""Two sensors whose data are put together: the time disparity of Saito et al."""
