"""Whether something listens at the address of a running cluster."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

from streamgauge.errors import ParameterError, error_line

CONNECT_SECONDS = 5.0
"""How long a connection is tried."""


def check_reachable(who: str, address: str) -> None:
    """Refuse an address that nobody listens at, in seconds: the libraries try for minutes.

    An address without a host and a port (`"auto"`) is not checked.

    Examples
    --------
    >>> check_reachable("Ray", "auto")
    """
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise ParameterError(
            f"{who}: address must be a host and a port, got {address!r} ({error_line(error)})"
        ) from error
    if host is None or port is None:
        return
    try:
        with socket.create_connection((host, port), CONNECT_SECONDS):
            pass
    except (OSError, UnicodeError) as error:
        raise ParameterError(
            f"{who}: {address} must be a cluster that can be reached, got {error_line(error)}; "
            "start it, or check the address"
        ) from error
