"""Reusable views: values and callables in, signals out. No store, no models, no device, no sources."""

from stepscope.widgets.import_hook import take_off_import_hook

take_off_import_hook()
