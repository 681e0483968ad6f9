# value misuse, incorrect output
def file_size_text(size: int) -> str:
    """ A number of bytes in the largest unit of which there is at least one, with one decimal from KiB on.
    >>> file_size_text(900)
    '900 B'
    >>> file_size_text(1536)
    '1.5 KiB'
    >>> file_size_text(5242880)
    '5.0 MiB'
    """
    if size < 1024:
        return f"{size} B"
    amount = float(size)
    for unit in ["KiB", "MiB", "GiB"]:
        amount /= 1024
        # bug: amount /= 1000
        if amount < 1024:
            break
    return f"{amount:.1f} {unit}"


def check(candidate):
    assert candidate(900) == '900 B'
    assert candidate(0) == '0 B'
    assert candidate(1023) == '1023 B'
    assert candidate(1024) == '1.0 KiB'
    assert candidate(1536) == '1.5 KiB'
    assert candidate(1048576) == '1.0 MiB'
    assert candidate(5 * 1024 ** 3) == '5.0 GiB'
    assert candidate(3 * 1024 ** 4) == '3072.0 GiB'
    assert candidate(1024 * 1023 + 512) == '1023.5 KiB'
