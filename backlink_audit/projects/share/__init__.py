"""What leaves a project: the client's report, the digest of a watch, and the project as one file."""
