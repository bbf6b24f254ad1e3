"""What runs networks: devices, torch, ONNX Runtime. Neither runtime is imported before a model is loaded."""
