"""Sentences that are never chosen for a summary, and those beside them that may be."""

from __future__ import annotations

import pytest

from newsloom.summaries.boilerplate import (
    is_feature,
    is_roundup,
    recurring,
    stands_alone,
    tells_nothing,
    undated,
    without,
)


@pytest.mark.parametrize(
    "sentence",
    [
        "Watch the latest media briefing here.",
        "The station broadcasts a special service at dawn - you can watch it here.",
        "Read our guide to the new rules for travellers here.",
        "Watch a recap of the best moments of the regatta off Lunden.",
        "DW spoke to the workers who repair the harbour wall each winter.",
        "Al Jazeera's Ada Quill reports from the harbour of Lunden.",
        "By Ada Quill of the Harbour Post The ferry sank on Monday off Lunden.",
        "This timeline charts the strike in the harbour and the replies of the port.",
        "Catch up with the best of the regatta as Holm wins its first race in ten years.",
        "Images from the streets of Lunden after the storm that sank nine ferries on Monday.",
        "See the damage done by the waves, and hear how the crews repair the wall.",
        "SCROLL TO THE BOTTOM FOR ALL: Thirteen more crews joined the strike in the harbour.",
    ],
)
def test_an_invitation_to_look_elsewhere_tells_nothing(sentence):
    assert tells_nothing(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The union leader said that there was no future for the crews here.",
        "Lunden's Mayor Ada Quill reports a theft of 41 boats from the harbour.",
        "Watch repairers in the old town have lost half of their trade since spring.",
        "Residents came to see what the minister had promised to build here in May.",
    ],
)
def test_a_sentence_with_the_same_words_may_tell_something(sentence):
    assert not tells_nothing(sentence)


ROUNDUPS = """
Your Wednesday Briefing
Coronavirus: Morning update as study tracks immunity and infection
As it happened: Latest Covid-19 news from NZ and around the world
Watch live: Two new deaths, director apologises to family
The Papers: 'Glimmer of light' but social distancing to continue
Coronavirus: All you need to know about today's developments
Jesse Jackson: A life in pictures
Ukraine updates: Peace talks in Geneva 'very tense'
Russia-Ukraine war: List of key events, day 1,455
Ukraine war live updates: Talks go on
Lunar New Year in Photos and Video: Revelers Welcome Year of the Horse
Newsblog: Das Wichtigste vom Dienstag
Tourism: Five ways the harbour has changed
Letters: 9 well-made gifts for people who write
Sunday's football gossip: Lunden bid for a goalkeeper
Lunden win the cup - report & highlights
Weekend reads: 11 of the best pieces on harbours
Gossip - Lunden bid for a goalkeeper
Match of Their Day: Ada Quill picks three
Lunden 2012: Ada Quill and her crew in best of day five action
"""
NO_ROUNDUPS = """
Apple updates its phones: three flaws are closed
Trade: Beijing and the EU agree on tariffs
Palace: King visits the flooded town
Lt. Col. Ada Quill takes over the harbour guard
Is it over? Minister resigns after eleven days
Ramadan to start on April 24
Germany inflation rises 2.1% at start of 2026
What Luzon could look like after April 30, according to experts
Review highlights need for a second ferry
Six people rescued from the harbour
Iran says 'guiding principles' agreed with US at nuclear talks
Newsletter service Substack raises 100 million dollars from investors
"""


def test_round_ups_are_known_by_their_titles_or_how_they_greet():
    assert [one for one in ROUNDUPS.strip().splitlines() if not is_roundup(one, "")] == []
    assert [one for one in NO_ROUNDUPS.strip().splitlines() if is_roundup(one, "")] == []
    assert is_roundup("Storms and strikes", "Good morning. Here's what you need to know.")
    assert is_roundup("Storms and strikes", "Five things you need to know about ferries today.")
    assert is_roundup("Storms and strikes", "In this episode we talk to a sailor.")


def test_what_several_articles_of_a_feed_say_is_taken_out():
    words = "Follow our channel for 24 hours of news."
    texts = [f"Boat {one} sank off Crete.\n{words}\nAll {one} were saved." for one in range(3)]
    standing = recurring([*texts, "One more. One more. One more."])
    assert standing == {words}
    assert without(texts[1], standing) == "Boat 1 sank off Crete.\nAll 1 were saved."
    assert without(words, standing) == ""


def test_the_programme_before_a_text_is_taken_out():
    news = "Boat {} sank off Crete - again."
    texts = [*(f"Harbour Watch - {news.format(one)}" for one in range(3)), "Lunden - a harbour."]
    standing = recurring(texts)
    assert [without(one, standing) for one in texts] == [
        *(news.format(one) for one in range(3)),
        "Lunden - a harbour.",
    ]


LEANING = """
But it is not clear who sent them.
With these words, the actor's wife announced it.
I know, it is the time of the experts.
Here's a list of four of them.
He told reporters in Vienna that talks go on.
The company also plans to hire a hundred people.
The ministry has accepted the reality of the figures.
Fine, however, has defended what he wrote on Sunday.
“If they force us to choose, the choice is not difficult.
So what does that mean for you?
Sie wollen im Herbst wieder verhandeln.
Il a dit que la loi sera votée.
For the second time this year I moved a server.
Most of our readers know the author of the book.
What the sale signals to newspapers around the world.
Which is why the physicist will tell you that.
Im Urlaub habe ich drei Romane von ihr gelesen.
The mayor and her deputy have been friends of mine for years.
Hier à la ferme, nous avons vu les premiers agneaux.
La nuestra es otra historia, y yo la conté.
Per noi la città non è mai stata così bella.
In Lunden, leaders of crews were also talking of a raise.
It follows the strike of five crews in the same harbour on Friday.
The move comes amid an outcry of the union.
The mayor of Lunden previously announced a new ferry.
The diagnosis comes a day after the mayor fell ill.
Groups of crews earlier emphasised that ferries matter.
"""
ALONE = """
Das Gericht hat die Klage gegen das Gesetz am Montag abgewiesen.
It is "unrealistic" to expect normal life to return soon, says the chief adviser.
Iran held drills in the Strait of Hormuz on Monday, a day before talks in Geneva.
The European Union and India signed an agreement on trade in January.
“We will not give up our land,” a group of farmers said in a letter.
The company Hyatt said on Monday that its chair had stepped down.
Der Bundestag stimmt am Freitag über den Haushalt ab.
Historians of World War I met in Verdun on Monday.
“I will not resign, and we have a plan,” the minister said on Monday.
The US and the EU signed a treaty on the gold mine in Lapland.
Experten meinen, dass die Preise im Herbst sinken.
WHO experts arrived in Geneva for talks on masks.
Le ministre a dit « nous ne céderons pas » devant la presse.
El ministro dijo que «nuestra tierra no se vende» y salió de la sala.
Il ministro ha detto che la legge sarà votata a gennaio.
"""


def test_sentences_that_lean_on_another_one_are_known():
    assert [one for one in LEANING.strip().splitlines() if stands_alone(one)] == []
    assert [one for one in ALONE.strip().splitlines() if not stands_alone(one)] == []


@pytest.mark.parametrize(
    ("sentence", "rest"),
    [
        ("KHARTOUM: A drone attack killed 28 people.", "A drone attack killed 28 people."),
        ("LONDON (Reuters) - Shares fell on Monday.", "Shares fell on Monday."),
        ("[Capital FM] Nairobi -- Workers suspended a strike.", "Workers suspended a strike."),
        ("BERLIN, Feb 17 (Reuters) - Artists signed a letter.", "Artists signed a letter."),
        ("By RNZ Crews in Lunden end their strike.", "Crews in Lunden end their strike."),
        ("By Boats.com Crews in Lunden end it.", "Crews in Lunden end it."),
        ("By RNZ A new ferry sails from Lunden.", "A new ferry sails from Lunden."),
        ("By RNZ's Ada Quill A new ferry sails.", "A new ferry sails."),
        ("By Ada Quill of RNZ The crews end it.", "The crews end it."),
        ("Voices - Crews in Lunden end their fast.", "Crews in Lunden end their fast."),
        ("Ada Quill - Mayor of Lunden - left it.", "Ada Quill - Mayor of Lunden - left it."),
        ("By UN Standards the camp is full.", "By UN Standards the camp is full."),
        ("EXCLUSIVE Crews in Lunden end it.", "Crews in Lunden end it."),
        ("(AP) — Two ships collided off Malta.", "Two ships collided off Malta."),
        ("NATO: an alliance at odds with itself.", "NATO: an alliance at odds with itself."),
        ("Rotterdam closed its harbour - again.", "Rotterdam closed its harbour - again."),
    ],
)
def test_a_dateline_is_no_part_of_the_news(sentence, rest):
    assert undated(sentence) == rest


def test_what_blogs_put_below_an_article_is_no_part_of_it():
    text = "He had no wooden teeth, and led the siege."
    footer = "The post Yes, he led it. No, he had none. appeared first on Paper.example."
    assert without(f"{text}\n{footer}", frozenset()).strip() == text
    assert without(f"{text} The Post reported it first.", frozenset()).endswith("it first.")


NEWS = """
Trade: Beijing and the EU agree on tariffs
Palace: King visits the flooded town
Lt. Col. Ada Quill takes over the harbour guard
Is it over? Minister resigns after eleven days
WHO advises people to wear masks in public
Coronavirus: WHO changes its guidance on masks
I Maneskin vincono l'Eurovision
„Das ist ein Angriff“: Minister verurteilt Brandanschlag auf Schule
'Dangerous': Experts warn of disinfectant
Das Parlament stimmt für die Reform
Come on Leicester sells out its last home game
The United States strikes three boats in the Pacific
Results day: A-level grades arrive late
Die Regierung beschließt den Haushalt
Le Sénat rejette le budget
El Gobierno aprueba la ley de vivienda
Il governo approva la legge di bilancio
世界遺産に登録された古い町で大規模な火災
Mayor reveals plan to sell all ferries by 2030
Talks move from Lunden to Holm after a storm
"""
FEATURES = """
Who pays for the new bridge
How the bridge was built
Bridge of sighs: How it was built
I was filmed in a changing room
'It is a dark place' - the sailors who never came home
Building a harbour out of matches
Inside the deadly ferry fire
An introduction to knots
Wie die Brücke gebaut wurde
Pourquoi le pont a coûté si cher
“We can breathe for the first time in our lives”
If you have not seen this or heard about it...
Money: My life without a bank
Exploring Vancouver
Lunden: Picking up the pieces of a harbour
Rage. Grief. The mood in the harbour
Timeline of the strike in the harbour
Will the union help the mayor? | Inside Lunden
The volunteers who read to the blind
Al Dene: The singer who became a vicar
Protests: 'We can breathe for the first time'
Minister: „Wir geben niemals auf“
Le maire : « Nous ne céderons pas »
La alcaldesa: «No vamos a dimitir por esto»
Ferry strike: Mayor of Lunden answers questions
Union breaks its silence over the strike
Officials shed more light on the ferry fire
Strike of ferries: Here's what we know
Revealed: Holland's slowest ferry
Mayor reveals reason for his resignation
From Lunden to Holm: How crews lost their pay
Growing up on the quietest island of Holland
Storms: Tales from the night shift of a ferry
Ada Quill: Our harbour needs another kind of ferry
Strict tests and no crowds - how the regatta will return
From ‘The Ferry’ to ‘Holm Castle,’ Ada Quill made each role her own
Key crew on storms, strikes and more
See the timetable of the new ferries
"""


def test_titles_that_ask_or_explain_are_told_from_news():
    assert [one for one in NEWS.strip().splitlines() if is_feature(one, "")] == []
    assert [one for one in FEATURES.strip().splitlines() if not is_feature(one, "")] == []
    assert is_feature("Union v ferries: the only choice", "COMMENT: It makes Holm sad.")
    assert not is_feature("Union refuses comment", "Comment by the union came late.")
