"""The outside world's words: text formats, read into plain data and written from it."""
