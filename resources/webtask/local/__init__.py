"""What crowd-work pages fetch from elsewhere, kept here so that they work without a network."""
