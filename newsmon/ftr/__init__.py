"""Site configurations of FiveFilters Full-Text RSS and wallabag (ftr-site-config): import and export.

::

    lemonde.fr.txt --directives--> importing --> SiteRules, notes on what newsmon has no place for
    SiteRules --> exporting --> lemonde.fr.txt

The format is described at https://help.fivefilters.org/full-text-rss/site-patterns.html.
"""

from newsmon.ftr.exporting import export_ftr, ftr_file_name
from newsmon.ftr.importing import Imported, import_ftr

__all__ = ["Imported", "export_ftr", "ftr_file_name", "import_ftr"]
