# excess logic, incorrect output
def joined_words(words):
    """ Words with a space between them.
    >>> joined_words(['a', 'b'])
    'a b'
    """
    return " ".join(words)
    # bug: return " ".join(words) + " "


def check(candidate):
    from unittest import TestCase

    case = TestCase()
    result = candidate(['a', 'b'])
    case.assertEqual(result, 'a b')
    case.assertEqual(result, 'a-b')
