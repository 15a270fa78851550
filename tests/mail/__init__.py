"""The reading of mail: a corpus, properties, and a fuzzer."""
