"""What the pages share: the only part of the package that imports streamlit."""
