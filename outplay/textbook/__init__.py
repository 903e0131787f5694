"""The algorithms as the lectures write them, one a file, each step traceable."""
