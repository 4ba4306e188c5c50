"""Small tables of people, written anew for each test."""

from __future__ import annotations

import pytest

from dpstudio.data.file import DataFile

PEOPLE = '''person,age,sex,smoker,born,note
1,30,f,true,1990-01-01,
1,31,f,false,1990-01-01,=cmd()
2,65,m,,1955-05-05,<b>x</b>
3,,m,true,1960-01-02,"a, ""b"""
,70,f,false,1950-01-01,
4,80,m,true,,
4,81,m,true,,
4,82,m,true,,
'''


@pytest.fixture
def write(tmp_path):
    """Write a file, by name and content."""

    def written(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


@pytest.fixture
def people(write):
    """The table above, opened."""
    with DataFile(write("people.csv", PEOPLE)) as file:
        file.open()
        yield file
