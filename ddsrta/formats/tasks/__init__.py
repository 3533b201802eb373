"""Systems as the general tools of response-time analysis know them: tasks that start tasks."""
