"""Members of the families by name, as the CLI and TOML files write them: `chunks(size=500)`."""

from streamgauge.names.libraries import LIBRARIES as LIBRARIES
from streamgauge.names.mentions import CATALOG as CATALOG
from streamgauge.names.mentions import files_of as files_of
from streamgauge.names.mentions import imports_of as imports_of
from streamgauge.names.outside import OUTSIDE as OUTSIDE
from streamgauge.names.outside import call as call
from streamgauge.names.outside import check_signature as check_signature
from streamgauge.names.outside import own_code as own_code
from streamgauge.names.registry import FAMILIES as FAMILIES
from streamgauge.names.registry import UNNAMED as UNNAMED
from streamgauge.names.registry import Plugin as Plugin
from streamgauge.names.registry import aliases as aliases
from streamgauge.names.registry import clash as clash
from streamgauge.names.registry import description as description
from streamgauge.names.registry import find as find
from streamgauge.names.registry import installed as installed
from streamgauge.names.registry import known as known
from streamgauge.names.registry import name_of_class as name_of_class
from streamgauge.names.registry import refuse_unnamed as refuse_unnamed
from streamgauge.names.registry import snake as snake
from streamgauge.names.texts import make as make
from streamgauge.names.texts import resolve as resolve
