"""Mail: orders come in as people write them, receipts and reports go out."""
