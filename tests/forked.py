"""A call in a child of this process: as alone as in a new program, with all imports done."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable


def forked(call: Callable[[], int]) -> int:
    """What the call returns, as the exit status of its process; -N where signal N ended it.

    >>> import os
    >>> forked(lambda: 3), forked(lambda: os.kill(os.getpid(), 9) or 0)
    (3, -9)
    """
    sys.stdout.flush()
    with warnings.catch_warnings():  # the threads of pytest have nothing to do with it
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        status = 1
        try:
            status = call()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
