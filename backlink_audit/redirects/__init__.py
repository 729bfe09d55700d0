"""Where the pages of an old site should lead on the new one."""
