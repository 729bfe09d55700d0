"""The risk review and the disavow file."""
