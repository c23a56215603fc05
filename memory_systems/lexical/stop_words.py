"""English function words, which carry no subject. Part of the tokenizer and of its name."""

_FUNCTION_WORDS = """
a about above after again all also am an and any are as at be because been before being below
between both but by could did do does doing down during each few for from further had has have
having he her here hers herself him himself his how i if in into is it its itself just me more
most my myself no nor not of off on once only or other our ours ourselves out over own same she
should so some such than that the their theirs them themselves then there these they this those
through to too under until up very was we were what when where which while who whom whose why
will with would you your yours yourself yourselves
"""
_CONTRACTIONS = """
aren arent can cannot cant couldn couldnt didn didnt doesn doesnt don dont hasn hasnt haven havent
isn isnt shouldn shouldnt wasn wasnt weren werent won wont wouldn wouldnt
"""

STOP_WORDS = frozenset(_FUNCTION_WORDS.split()) | frozenset(_CONTRACTIONS.split())
