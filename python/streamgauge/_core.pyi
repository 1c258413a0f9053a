"""The face of the compiled module, checked by stubtest."""

VERSION: str
