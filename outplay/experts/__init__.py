"""What only one game has, a folder per game: experts, files, commands, panels; the other rooms find them through `extras`."""
