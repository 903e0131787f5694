"""`python -m outplay` is the command line."""

from outplay.cli.main import main

if __name__ == "__main__":
    main()
