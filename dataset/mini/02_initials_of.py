# missing logic, incorrect output
def initials_of(full_name: str) -> str:
    """ The initials of a name as capital letters, each followed by a dot.
    >>> initials_of('ada king lovelace')
    'A.K.L.'
    >>> initials_of('Grace Hopper')
    'G.H.'
    """
    letters = [word[0].upper() for word in full_name.split()]
    # bug: letters = [word[0] for word in full_name.split()]
    return "".join(letter + "." for letter in letters)


def check(candidate):
    assert candidate('ada king lovelace') == 'A.K.L.'
    assert candidate('Grace Hopper') == 'G.H.'
    assert candidate('plato') == 'P.'
    assert candidate('  alan   mathison turing ') == 'A.M.T.'
    assert candidate('Émile zola') == 'É.Z.'
    assert candidate('') == ''
