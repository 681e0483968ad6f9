# missing logic, incorrect output
from typing import Dict, List, Optional


def job_order(needs: Dict[str, List[str]]) -> Optional[List[str]]:
    """ An order in which every job comes after all jobs that it needs; among those that could come next, the
    first of the alphabet does. None if the jobs need each other in a circle. Every job is a key of needs.
    >>> job_order({'test': ['build'], 'build': [], 'ship': ['test', 'build']})
    ['build', 'test', 'ship']
    """
    waiting = {job: set(others) for job, others in needs.items()}
    order = []
    while waiting:
        ready = sorted(job for job, others in waiting.items() if not others)
        if not ready:
            return None
            # bug: return order
        job = ready[0]
        order.append(job)
        del waiting[job]
        for others in waiting.values():
            others.discard(job)
    return order


def check(candidate):
    assert candidate({'test': ['build'], 'build': [], 'ship': ['test', 'build']}) == ['build', 'test', 'ship']
    assert candidate({}) == []
    assert candidate({'b': [], 'a': []}) == ['a', 'b']
    assert candidate({'a': ['b'], 'b': ['a']}) is None
    assert candidate({'a': ['a']}) is None
    assert candidate({'a': [], 'b': ['c'], 'c': ['b']}) is None
    assert candidate({'a': ['z'], 'z': [], 'm': []}) == ['m', 'z', 'a']
