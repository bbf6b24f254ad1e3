"""The start page, the tour, and opening the sample with the runs that come with it."""
