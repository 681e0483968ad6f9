# missing logic, incorrect output
from typing import Dict, List, Tuple


class Account:
    """ Some money of one owner. """

    def __init__(self, balance: int):
        self.balance = balance

    def can_pay(self, amount: int) -> bool:
        return amount <= self.balance


def settle_transfers(balances: Dict[str, int], transfers: List[Tuple[str, str, int]]) -> Dict[str, int]:
    """ The balances after the transfers (payer, payee, amount), made one after the other. A transfer that
    the payer has too little for is not made. All payers and payees have an account.
    >>> settle_transfers({'ann': 50, 'bob': 0}, [('ann', 'bob', 30), ('ann', 'bob', 30)])
    {'ann': 20, 'bob': 30}
    """
    accounts = {owner: Account(balance) for owner, balance in balances.items()}
    for payer, payee, amount in transfers:
        if accounts[payer].can_pay(amount):
        # bug: if payer in accounts:
            accounts[payer].balance -= amount
            accounts[payee].balance += amount
    return {owner: account.balance for owner, account in accounts.items()}


def check(candidate):
    assert candidate({'ann': 50, 'bob': 0}, [('ann', 'bob', 30), ('ann', 'bob', 30)]) == {'ann': 20, 'bob': 30}
    assert candidate({}, []) == {}
    assert candidate({'a': 5}, [('a', 'a', 5)]) == {'a': 5}
    assert candidate({'a': 5, 'b': 1}, [('a', 'b', 5)]) == {'a': 0, 'b': 6}
    assert candidate({'a': 5, 'b': 1}, [('b', 'a', 2), ('a', 'b', 1), ('b', 'a', 2)]) == {'a': 6, 'b': 0}
    round_trip = [('a', 'b', 1), ('b', 'c', 1), ('c', 'a', 2)]
    assert candidate({'a': 1, 'b': 0, 'c': 0}, round_trip) == {'a': 0, 'b': 0, 'c': 1}
