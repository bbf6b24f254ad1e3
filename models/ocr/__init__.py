"""Reading the words of a picture, where a data set has no UI tree."""
