"""A reader of system.yaml and federation.yaml that shares nothing with ddsrta.models and ddsrta.lf:
a word that one of them misreads makes their documents differ."""

from ddsrta.checker.yaml.document import read_document as read_document
from ddsrta.checker.yaml.nodes import NotReadError as NotReadError
