"""Running predictors over data under a protocol, as generators that can be cancelled and resumed."""
