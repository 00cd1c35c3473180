"""Words that are capitalised without being names, or before names. Knows no text."""

from __future__ import annotations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Capitalised at the head of a sentence, and never the first word of a name that is worth it.
FUNCTION = _set(
    """a about according after all also amid among an and another any are around as at be because
    been before being both but by can could despite did do does during each even ever every few
    for former from had has have he her here his how however i if in inside instead into is it its
    just last like many may meanwhile more most much my near new next no nor not now of off on
    once one only or other our out outside over per she should since so some still such than that
    the their them then there these they this those though three through to today tomorrow two
    under until up upon was watch we were what when where whether which while who whose why will
    with within without would yesterday yet you your
    das dem den der des die ein eine einem einen einer er es für im in ist mit nach nicht sie so
    und von vor war was wenn wer wie wir zu zum zur auch aber als am an auf aus bei bis nur
    au aux avec ce ces cette dans de des du elle en est et il ils je la le les leur mais nous on
    ou où par pas pour qui sans se ses son sur un une vous
    con como de del desde el ella en es esta este la las los no para pero por que se sin sobre su
    sus tras un una y ao com da das do dos e ela ele em mas na nas não no nos o os para pela pelo
    por que se sem seu sua um uma che chi con dal dalla degli dei della delle di gli i il lo nel
    nella non per più sono sul tra"""
)
# They change from source to source; what they stand before does not.
TITLES = _set(
    """mr mrs ms miss dr sir lord lady sen senator rep representative congressman congresswoman gov
    governor gen general lt col colonel capt captain sgt rev prof professor pres president vice
    prime minister premier chancellor secretary king queen prince princess pope judge justice mayor
    chief ceo chairman chairwoman herr frau président ministre presidente attorney director speaker
    leader deputy former sheriff commissioner spokesman
    spokeswoman jr"""
)
CALENDAR = _set(
    """monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january
    february march april may june july august september october november december jan feb mar apr
    jun jul aug sept sep oct nov dec"""
)

# Inside names, never at their end.
PARTICLES = _set("of the de del della di da do dos du van von bin ibn al & la los der den")

# The few of which the news uses both forms every day. As written: "us" is a word.
ALIASES = {
    "US": "united states",
    "USA": "united states",
    "America": "united states",
    "United States of America": "united states",
    "UK": "united kingdom",
    "Britain": "united kingdom",
    "Great Britain": "united kingdom",
    "EU": "european union",
    "UN": "united nations",
    "Republicans": "republican",
    "GOP": "republican",
    "Democrats": "democratic",
}

# Last words of names that stand in one news article of a hundred or more, whatever it is about.
# Counted in 9,168 American ones; names that a few years bring and take away are left out.
GENERIC = _set(
    """states house republican republicans democratic democrats democrat senate congress american
    americans washington court department news committee york act times party state government
    administration"""
)
