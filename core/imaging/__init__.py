"""Pictures: probing, decoding, the bounded cache, and drawing marks into pixels."""
