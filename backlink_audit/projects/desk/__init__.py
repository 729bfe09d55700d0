"""The outreach desk of a project: whom to ask for a link, and what came of it."""
