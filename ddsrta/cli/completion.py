"""ddsrta completion: what a shell needs to complete commands, options and files."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ddsrta.cli.parser import MET
from ddsrta.cli.streams import put

EPILOG = """\
  bash  ddsrta completion bash > ~/.local/share/bash-completion/completions/ddsrta
  zsh   ddsrta completion zsh > DIR/_ddsrta, with DIR in your $fpath before compinit
  fish  ddsrta completion fish > ~/.config/fish/completions/ddsrta.fish
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="for which shell")


def run(options: Namespace) -> int:
    """Print the script."""
    from ddsrta.cli import shells
    from ddsrta.cli.calls import calls

    put(getattr(shells, options.shell)(calls()))
    return MET
