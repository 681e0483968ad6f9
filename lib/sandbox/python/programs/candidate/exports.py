"""The names that `from … import *` would import. bundle.py writes them out, so that no process imports the modules."""

EXPORTS = [(name, sorted(__import__(name).__all__)) for name in ('collections', 'typing')]
