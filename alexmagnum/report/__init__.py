"""What people read: sentences from catalogues, and the report of a phase."""
