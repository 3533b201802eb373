"""Launch lags: from the start of a tag until its messages leave."""
