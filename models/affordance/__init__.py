"""Which kinds of action the elements of a screen allow: rules, and a network that can be trained."""
