"""The risk review in the browser: the decisions, and the disavow file they make."""
