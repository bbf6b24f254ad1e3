"""Starting an evaluation.

EvaluateForm: the right dock's form; EvaluateRequest: what it emits; TaskChoice, DataChoice, ModelChoice, ComputeChoice:
what it offers; PREDICTIONS: the model's name when predictions come from a file. Each is
imported from its own module: who needs a value is not to bring in the form.
"""
