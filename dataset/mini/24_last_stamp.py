# value misuse, incorrect output
def last_stamp(log: str) -> str:
    """ The time of the last entry of a log, whose lines each begin with a time as in '12:30:05 started';
    an empty string if the log has no entries.
    >>> last_stamp('08:00:00 up\\n09:15:30 down')
    '09:15:30'
    >>> last_stamp('')
    ''
    """
    entries = [line for line in log.splitlines() if line.strip()]
    if not entries:
        return ""
    return entries[-1].split(" ")[0]
    # bug: return entries[-1].split(" ")[1]


def check(candidate):
    assert candidate('08:00:00 up\n09:15:30 down') == '09:15:30'
    assert candidate('') == ''
    assert candidate('\n  \n') == ''
    assert candidate('10:00:00 only one') == '10:00:00'
    assert candidate('10:00:00 a\n11:00:00 b\n\n') == '11:00:00'
    assert candidate('23:59:59 a\n00:00:01 b b b') == '00:00:01'
