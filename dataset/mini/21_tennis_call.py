# value misuse, incorrect output
def tennis_call(server: int, receiver: int) -> str:
    """ What the umpire calls after so many points of the server and of the receiver.
    >>> tennis_call(2, 1)
    'thirty-fifteen'
    >>> tennis_call(3, 3)
    'deuce'
    >>> tennis_call(6, 5)
    'advantage server'
    """
    names = ["love", "fifteen", "thirty", "forty"]
    if server >= 3 and receiver >= 3 or max(server, receiver) > 3:
        lead = server - receiver
        if lead == 0:
            return "deuce"
        leader = "server" if lead > 0 else "receiver"
        return f"{'game' if abs(lead) >= 2 else 'advantage'} {leader}"
        # bug: return f"{'game' if abs(lead) >= 1 else 'advantage'} {leader}"
    return f"{names[server]}-{names[receiver]}"


def check(candidate):
    assert candidate(0, 0) == 'love-love'
    assert candidate(2, 1) == 'thirty-fifteen'
    assert candidate(3, 2) == 'forty-thirty'
    assert candidate(3, 3) == 'deuce'
    assert candidate(5, 5) == 'deuce'
    assert candidate(6, 5) == 'advantage server'
    assert candidate(3, 4) == 'advantage receiver'
    assert candidate(4, 1) == 'game server'
    assert candidate(0, 4) == 'game receiver'
    assert candidate(7, 9) == 'game receiver'
    assert candidate(2, 3) == 'thirty-forty'
