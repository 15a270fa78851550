"""The reading of mail: a corpus and properties."""
