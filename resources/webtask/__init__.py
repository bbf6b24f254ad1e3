"""Web tasks: the page process, the libraries that pages call for, and stand-ins for the crowd platform's elements."""
