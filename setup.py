"""What pyproject.toml cannot say: the rule files of the top-level folder travel inside the package.

``scrapyd-deploy`` and ``python setup.py bdist_egg`` make the egg from this file, pip makes the wheel from it too.
"""

from setuptools import find_packages, setup

DATA = ("yaml", "json", "npz", "html", "txt", "xsd", "mako", "ini")

setup(
    packages=[*find_packages(include=["newsmon", "newsmon.*"]), "newsmon.rules"],
    package_dir={"newsmon.rules": "rules"},
    package_data={
        "newsmon": [f"**/*.{suffix}" for suffix in DATA] + ["py.typed"],
        "newsmon.rules": ["**/*.yaml", "**/*.yml"],
    },
    include_package_data=False,
    zip_safe=True,
)
