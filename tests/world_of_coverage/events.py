"""What happened in the world: events that many publishers tell of, each in its own words.

An event is told in groups of sentences; each publisher takes one wording of each group, so that two
tellings have facts in common and few sentences. `names` is how `event_of` knows it again.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Event:
    """One thing that happened."""

    key: str
    names: tuple[str, ...]  # two of them in a text: it is about this event
    titles: tuple[str, ...]  # the first is the one of the reader's own feed
    groups: tuple[tuple[str, ...], ...]
    planted: bool = True  # whether the reader's own feed has it

    def title(self, wording: int) -> str:
        return self.titles[wording % len(self.titles)]

    def paragraphs(self, wording: int) -> list[str]:
        """A telling: one wording of each group."""
        return [
            group[(wording * 7 + place * 5 + wording // 3 * (place % 3 + 1)) % len(group)]
            for place, group in enumerate(self.groups)
        ]


FERRY = Event(
    "ferry",
    ("Aurelia", "Port Valmer", "Lindqvist", "Skarn Strait"),
    (
        "Ferry Aurelia runs aground in Skarn Strait, 212 passengers rescued",
        "All 212 people taken off stranded ferry near Port Valmer",
        "Rescue in the Skarn Strait: passengers lifted from grounded Aurelia",
        "Aurelia hits rocks off Port Valmer; everyone is safe, coast guard says",
        "Stranded on the rocks: how a night crossing to Port Valmer ended",
        "Coast guard evacuates ship Aurelia after it struck a reef in the Skarn Strait",
    ),
    (
        (
            "The ferry Aurelia ran aground in the Skarn Strait late on Tuesday, and all 212 "
            "passengers were brought ashore before dawn.",
            "Every one of the 212 people on the Aurelia is safe after the ship struck rocks in the "
            "Skarn Strait on Tuesday night.",
            "A night crossing ended on a reef when the Aurelia, with 212 passengers, hit rocks in "
            "the Skarn Strait on Tuesday.",
        ),
        (
            "Lifeboats from Port Valmer reached the ship within forty minutes, the coast guard "
            "said, and two helicopters lifted the oldest passengers from the upper deck.",
            "Two helicopters and five lifeboats worked until four in the morning, according to the "
            "coast guard in Port Valmer.",
            "It took five lifeboats and two helicopters seven hours to empty the ship, said the "
            "rescue centre of Port Valmer.",
        ),
        (
            "Captain Maja Lindqvist told investigators that the steering failed ten minutes "
            "before the impact.",
            "According to Captain Maja Lindqvist the rudder stopped answering shortly before the "
            "ship left its lane.",
            "Maja Lindqvist, the captain, reported a failure of the steering by radio at 22:48.",
        ),
        (
            "No oil has been seen on the water so far, but a barrier was laid around the hull as a "
            "precaution.",
            "Divers found a tear of nine metres in the hull; the fuel tanks are intact, and a "
            "floating barrier has been laid.",
            "The environment agency sent a ship with a barrier, although the tanks seem to be "
            "whole.",
        ),
        (
            "The operator, Northern Lines, cancelled its crossings for the week and promised to "
            "pay for hotels and onward travel.",
            "Northern Lines has stopped the connection until Sunday, and says passengers will be "
            "paid back in full.",
            "For the rest of the week there will be no crossings, its operator Northern Lines "
            "announced, and tickets are refunded.",
        ),
        (
            "An inquiry opens on Thursday. The ship had passed an inspection in March without "
            "remarks.",
            "The transport ministry ordered an inquiry, which starts on Thursday; the last "
            "inspection in March had found nothing.",
            "Investigators will open the voyage recorder on Thursday, three months after an "
            "inspection that found no fault.",
        ),
    ),
)

BANK = Event(
    "bank",
    ("Central Bank of Orland", "Teresa Novak", "Orland", "quarter point"),
    (
        "Central Bank of Orland cuts rate by a quarter point to 3.25 percent",
        "Orland's policymakers lower borrowing costs for the first time in two years",
        "Teresa Novak signals patience after Orland's quarter point cut",
        "Borrowing becomes cheaper in Orland as inflation slows",
        "Orland rate decision: what a quarter point means for mortgages",
        "Surprise in Orland: bank under Teresa Novak eases policy",
    ),
    (
        (
            "The Central Bank of Orland lowered its main rate by a quarter point to 3.25 percent "
            "on Wednesday, the first cut in two years.",
            "For the first time in two years borrowing in Orland gets cheaper: the central bank "
            "took a quarter point off its main rate, which is now 3.25 percent.",
            "Policymakers in Orland voted seven to two on Wednesday for a main rate of 3.25 "
            "percent, a quarter point less than before.",
        ),
        (
            "Governor Teresa Novak said that inflation had come down faster than expected, to 2.1 "
            "percent in October.",
            "Inflation fell to 2.1 percent in October, governor Teresa Novak told reporters, and "
            "the bank expects it to stay near its goal.",
            "Prices rose by 2.1 percent in October, near the goal, which gave governor Teresa "
            "Novak room to act.",
        ),
        (
            "She warned against expecting a further step soon: the bank would wait for the wage "
            "talks of the spring.",
            "A second cut is not planned before the wage talks of the spring, she said.",
            "Whether more will follow depends on wages, and she asked for patience until spring.",
        ),
        (
            "The crown lost half a percent against the dollar, while shares of builders rose by "
            "four percent.",
            "Builders gained four percent on the exchange, and the crown weakened by half a "
            "percent.",
            "On the exchange in the capital shares of builders rose most; the crown fell slightly.",
        ),
        (
            "A household with an average mortgage of variable rate will pay about forty crowns "
            "less a month, economists of the state university reckon.",
            "Economists of the state university put the relief for an average mortgage at forty "
            "crowns a month.",
            "For the average borrower the step is worth forty crowns each month, says the state "
            "university.",
        ),
        (
            "Two members of the board wanted to wait; the minutes will be published in three "
            "weeks.",
            "The minutes, due in three weeks, will tell why two members voted against it.",
            "Two members voted against the decision. Their reasons will stand in the minutes.",
        ),
    ),
)

OBSERVATORY = Event(
    "observatory",
    ("Mount Kessa", "Ionova", "Kepha-9", "observatory"),
    (
        "Astronomers at Mount Kessa find water vapour on the small planet Kepha-9",
        "Water vapour seen around Kepha-9, 40 light years away",
        "A damp world: Mount Kessa observatory reports vapour on Kepha-9",
        "Team led by Ionova detects steam in the air of planet Kepha-9",
        "Is it raining on Kepha-9? What the Mount Kessa discovery means",
        "New measurements hint at clouds on a rocky planet, Ionova says",
    ),
    (
        (
            "Astronomers at the Mount Kessa observatory have found water vapour in the air of the "
            "small planet Kepha-9, forty light years away.",
            "The planet Kepha-9, forty light years from here, has water vapour in its air, the "
            "observatory on Mount Kessa reports.",
            "A rocky planet called Kepha-9 is surrounded by steam, according to measurements from "
            "Mount Kessa.",
        ),
        (
            "The group of Dr Vera Ionova watched eleven passages of the planet before its star, "
            "and compared the colours of the light.",
            "Eleven times the group of Vera Ionova watched the planet pass its star.",
            "Vera Ionova and her group needed eleven passages of the planet to be sure.",
        ),
        (
            "The sign is strong: the odds that chance made it are one in three million, the paper "
            "says.",
            "Chance would give such a result once in three million cases, says the paper in the "
            "journal of the academy.",
            "In the journal of the academy the authors put the odds of chance at one in three "
            "million.",
        ),
        (
            "Kepha-9 is half as large again as the Earth and circles its dim star in nineteen "
            "days.",
            "A year on Kepha-9 lasts nineteen days; it is half as large again as our planet.",
            "With half again the width of the Earth, it takes nineteen days around a dim red star.",
        ),
        (
            "Others warn that spots on the star can imitate water. A second telescope will look in "
            "January.",
            "Not all are convinced, since dark spots on stars hold water too; a second look is "
            "planned for January.",
            "Colleagues who were not involved want to see the January observations of a second "
            "telescope first.",
        ),
        (
            "The instrument was built in eight years by schools of four countries, at a cost of "
            "thirty million.",
            "It is the first success of an instrument that took eight years and thirty million to "
            "build.",
            "Four countries paid thirty million for the instrument, which began its work last "
            "year.",
        ),
    ),
)

# Like the first two, and other events all the same: what must not be taken for them.
OTHER_FERRY = Event(
    "other ferry",
    ("Bellatrix", "Gulf of Tarn", "Okafor", "engine fire"),
    (
        "Ferry Bellatrix towed to harbour after engine fire, 180 passengers unhurt",
        "Engine fire on Bellatrix: ship drifts for hours in the Gulf of Tarn",
    ),
    (
        (
            "An engine fire left the ferry Bellatrix without power in the Gulf of Tarn on Monday; "
            "none of the 180 passengers was hurt.",
        ),
        (
            "The crew put the fire out within the hour with the system on board, captain Samuel "
            "Okafor said by radio.",
        ),
        (
            "A tug brought the ship to harbour in the evening, where passengers were given rooms "
            "and a meal.",
        ),
        (
            "The company has a second ship of the same kind and will have its engines looked at "
            "before it sails again.",
        ),
        (
            "It is the third fire on that route within five years, after one in a kitchen and one "
            "on the car deck.",
        ),
    ),
    planted=False,
)
OTHER_BANK = Event(
    "other bank",
    ("National Bank of Vesk", "Halloran", "Vesk", "unchanged"),
    (
        "National Bank of Vesk leaves rates unchanged at 4 percent",
        "Vesk holds: governor Halloran sees no room for a cut",
    ),
    (
        (
            "The National Bank of Vesk left its main rate unchanged at 4 percent on Tuesday, as "
            "nearly all economists had expected.",
        ),
        (
            "Inflation at 3.8 percent is far above the goal, governor Peter Halloran said after "
            "the meeting of the board.",
        ),
        (
            "Energy became dearer again in autumn, and rents rose faster than in the ten years "
            "before.",
        ),
        (
            "Most observers now expect a first step in summer, two of them not before the end of "
            "next year.",
        ),
        (
            "The currency hardly moved. Shares of banks closed one percent higher, and "
            "bonds gained a little.",
        ),
    ),
    planted=False,
)
FESTIVAL = Event(
    "festival",
    ("Brackenford", "lantern", "Delacroix", "festival"),
    (
        "Brackenford lantern festival draws record crowd",
        "Ten thousand lights: festival in Brackenford ends with a parade",
    ),
    (
        (
            "More visitors than ever came to the lantern festival of Brackenford, which ended on "
            "Sunday with a parade along the river.",
        ),
        (
            "The town counted sixty thousand guests in nine days, a fifth more than last year, "
            "mayor Anne Delacroix said.",
        ),
        (
            "Schools had built lanterns since summer; the largest, a heron of paper and willow, "
            "was six metres high.",
        ),
        (
            "Hotels were full as far as the coast, and the railway put on forty trains in the "
            "night after the parade.",
        ),
        ("Next year the festival is to be two days longer, with a market for makers of paper.",),
    ),
    planted=False,
)

EVENTS = (FERRY, BANK, OBSERVATORY, OTHER_FERRY, OTHER_BANK, FESTIVAL)
PLANTED = tuple(one for one in EVENTS if one.planted)


def events_in(text: str) -> tuple[Event, ...]:
    """Which events a text is about, by their names."""
    return tuple(
        event for event in EVENTS if sum(name.lower() in text.lower() for name in event.names) >= 2
    )
