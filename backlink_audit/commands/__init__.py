"""The commands of the terminal, by what they are about. Pipelines are imported inside them: `--help` stays instant."""
