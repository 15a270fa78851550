"""Reports, letters' contents and order sheets as documents, in every language."""
