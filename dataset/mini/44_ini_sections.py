# variable misuse, incorrect output
from typing import Dict


def ini_sections(text: str) -> Dict[str, Dict[str, str]]:
    """ Read settings written as 'name = value' lines under '[section]' lines. Lines before the first section
    belong to the section ''; empty lines and lines that begin with ';' do not count.
    >>> ini_sections('[db]\\nhost = local\\nport=5432')
    {'db': {'host': 'local', 'port': '5432'}}
    """
    sections: Dict[str, Dict[str, str]] = {}
    section = ""
    for line in text.splitlines():
        line = line.strip()
        if not line or line.startswith(";"):
            continue
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
            sections.setdefault(section, {})
        else:
            name, _, value = line.partition("=")
            sections.setdefault(section, {})[name.strip()] = value.strip()
            # bug: sections.setdefault(name, {})[name.strip()] = value.strip()
    return sections


def check(candidate):
    assert candidate('[db]\nhost = local\nport=5432') == {'db': {'host': 'local', 'port': '5432'}}
    assert candidate('') == {}
    assert candidate('a=1') == {'': {'a': '1'}}
    assert candidate('[empty]') == {'empty': {}}
    assert candidate('; note\n\n[x]\n;y=2\nz = a = b') == {'x': {'z': 'a = b'}}
    assert candidate('[a]\nk=1\n[b]\nk=2\n[a]\nj=3') == {'a': {'k': '1', 'j': '3'}, 'b': {'k': '2'}}
    assert candidate('list=[1]') == {'': {'list': '[1]'}}
