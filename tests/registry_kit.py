"""The judge of the registry of deployments: its own schema, and what its `scripts/check.py` asks besides.

The functions are those of opendp/deployments-registry-data at 3e9c812 (MIT, Copyright (c) 2025 OpenDP), but for the one
that asks whether web addresses answer; here they leave no file open.
"""

from __future__ import annotations

import re
from pathlib import Path

from jsonschema import Draft7Validator
from yaml import SafeLoader, load, scan

SCHEMA = load((Path(__file__).parent / "documents/registry/deployments-schema.yaml").read_text("utf-8"),
              Loader=SafeLoader)


def judged(yaml_path):
    """What the registry says against a file; empty where it takes it."""
    checks = (check_name, check_schema, check_quoting, check_latex_escapes)
    return [error for check in checks for error in check(yaml_path)]


def check_name(yaml_path):
    errors = []
    if not re.fullmatch(r"[a-z0-9_]+\.yaml", yaml_path.name):
        errors.append("File names should be lowercase letters, numbers, and underscores.")
    return errors


def check_schema(yaml_path):
    instance = load(yaml_path.read_text("utf-8"), Loader=SafeLoader)
    validator = Draft7Validator(SCHEMA, format_checker=Draft7Validator.FORMAT_CHECKER)
    return [
        f'{".".join(str(el) for el in error.path)}: {error.message}'
        for error in validator.iter_errors(instance)
    ]


def get_all_values_paths(node, path=""):
    for key, value in node.items():
        new_path = f"{path}/{key}"
        if isinstance(value, dict):
            yield from get_all_values_paths(value, new_path)
        elif isinstance(value, list):
            yield from get_all_values_paths(dict(enumerate(value)), new_path)
        else:
            yield (new_path, value)


def check_quoting(yaml_path):
    errors = []
    for token in scan(yaml_path.read_text("utf-8"), Loader=SafeLoader):
        if hasattr(token, "style"):
            style = token.style
            if style is None or style in ["|", '"', "'"]:
                continue
            errors.append(f'instead of "{style}", use "|" to preserve whitespace in "{token.value}"')
    return errors


def check_latex_escapes(yaml_path):
    deployment = load(yaml_path.read_text("utf-8"), Loader=SafeLoader)
    pairs = get_all_values_paths(deployment)
    errors = []
    for path, text in pairs:
        if isinstance(text, str) and (match := re.search(r"\\\\[^()]", text)):
            errors.append(f'{path} contains "{text[match.start() - 4:match.end() + 4]}"')
    return errors
