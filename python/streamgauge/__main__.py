"""`python -m streamgauge` is `streamgauge`."""

from streamgauge._start import main

main()
