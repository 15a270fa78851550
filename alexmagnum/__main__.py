"""``python -m alexmagnum`` is the command line too."""

from alexmagnum.cli import main

if __name__ == "__main__":  # worker processes import it as well
    main()
