"""The frame around every page: what app.py alone needs."""
