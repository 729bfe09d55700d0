"""One module for each version of the store; once released, none is changed any more."""
