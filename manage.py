#!/usr/bin/env python
"""The door to every command: ``python manage.py help`` lists them."""

import os
import sys

OLDEST_PYTHON = (3, 11)


def main() -> int:
    if sys.version_info < OLDEST_PYTHON:
        sys.stderr.write(
            "MemJury needs Python 3.11 or newer; this is Python {}.{}. "
            "Run it with .venv/bin/python, which `make up` creates.\n".format(*sys.version_info[:2])
        )
        return 1
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.stderr.write(f"Django is not installed for {sys.executable}. Run `make up` first.\n")
        return 1
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as problem:
        sys.stderr.write(f"MemJury cannot start: {problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
