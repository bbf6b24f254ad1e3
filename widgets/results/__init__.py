"""Runs and their results.

RunsView: the list of runs, with those at work; ResultsView: metrics and items of one run;
RunRow, ResultDetails, MetricRow, ItemRow, ItemsFilter, RuleChoice, RuleRow, FlipCounts: their frozen values.
ConfusionView, BarList, SelectionPanel, FixesView: what the run got wrong and where, with `breakdown_values`.
Each is imported from its own module: who needs a value is not to bring in the views. The plots (`curves`,
`calibration`, `step_plot`) come when they are first shown: pyqtgraph is slow.
"""
