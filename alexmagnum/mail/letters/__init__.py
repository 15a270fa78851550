"""Writing a mail: a document becomes a letter with its parts, styles and calendar entry."""
