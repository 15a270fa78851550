"""One function for each thing a user does that touches more than one room."""
