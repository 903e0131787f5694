"""What the course needs beside its pages: exercises whose oracle is the textbook, its numbers, the notes' code."""
