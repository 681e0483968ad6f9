# excess logic, incorrect output
def headline_case(title: str) -> str:
    """ Write a title with a capital letter at the start of every word, except for short words
    ('a', 'an', 'and', 'of', 'the', 'to'), which are written small unless they come first.
    >>> headline_case('the lord of the rings')
    'The Lord of the Rings'
    >>> headline_case('WAR AND PEACE')
    'War and Peace'
    """
    small = {"a", "an", "and", "of", "the", "to"}
    words = []
    for position, word in enumerate(title.lower().split()):
        if position > 0 and word in small:
            words.append(word)
        else:
            words.append(word.capitalize())
    return " ".join(words)
    # bug: return " ".join(words).capitalize()


def check(candidate):
    assert candidate('the lord of the rings') == 'The Lord of the Rings'
    assert candidate('WAR AND PEACE') == 'War and Peace'
    assert candidate('') == ''
    assert candidate('a') == 'A'
    assert candidate('to kill a mockingbird') == 'To Kill a Mockingbird'
    assert candidate('back  to the future') == 'Back to the Future'
    assert candidate('an other and an') == 'An Other and an'
