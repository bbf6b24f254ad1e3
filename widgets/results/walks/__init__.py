"""Roll-outs: which goals a predictor reached alone, and each walk as a drawn graph."""
