"""``python -m alexmagnum`` is the command line too."""

from alexmagnum.cli import main

main()
