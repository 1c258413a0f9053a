"""`python -m streamgauge` is `streamgauge`."""

from streamgauge.cli import main

main()
