"""Made-up lines as news agencies write them: datelines, results, tables. Labels known by making.

No labelled set that may be trained on has such text, and a finder that never saw any takes every
club for the place it is named after. Clubs, leagues and agencies are written down here; persons and
places are drawn from the labelled sets. No line is taken from any text.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from entity_sets import Labelled, Text

WIRES = 1_500  # documents, some 108,000 tokens: a third of what people have labelled

_ENGLAND = """
Arsenal|Aston Villa|Blackburn|Bolton|Bristol City|Burnley|Chelsea|Coventry|Crystal Palace|Derby|
Everton|Fulham|Huddersfield|Ipswich|Leeds|Leicester|Liverpool|Manchester City|Manchester United|
Middlesbrough|Millwall|Newcastle|Norwich|Nottingham Forest|Oldham|Portsmouth|Preston|Reading|
Sheffield United|Sheffield Wednesday|Southampton|Stoke|Sunderland|Swansea|Tottenham|Tranmere|
Watford|West Ham|Wigan|Wimbledon|Wolverhampton|Wrexham|Aberdeen|Celtic|Dundee|Hearts|Hibernian|
Kilmarnock|Motherwell|Rangers
"""
_EUROPE = """
Ajax|PSV Eindhoven|Feyenoord|Utrecht|Heerenveen|Groningen|Bayern Munich|Borussia Dortmund|
Hamburg|Cologne|Schalke|Werder Bremen|VfB Stuttgart|Bayer Leverkusen|Hansa Rostock|Karlsruhe|
Duisburg|Freiburg|Juventus|Milan|Inter|Napoli|Fiorentina|Lazio|Roma|Parma|Sampdoria|Bologna|
Atalanta|Udinese|Cagliari|Torino|Real Madrid|Barcelona|Atletico Madrid|Valencia|Sevilla|
Real Sociedad|Athletic Bilbao|Espanyol|Celta Vigo|Real Betis|Zaragoza|Paris St Germain|
Marseille|Monaco|Lyon|Nantes|Bordeaux|Lens|Lille|Auxerre|Metz|Strasbourg|Montpellier|Rennes|
Nice|Porto|Benfica|Sporting|Boavista|Braga|Anderlecht|Club Brugge|Standard Liege|Ghent|
Galatasaray|Fenerbahce|Besiktas|Trabzonspor|Olympiakos|Panathinaikos|AEK Athens|PAOK|
Spartak Moscow|CSKA Moscow|Dynamo Kiev|Rapid Vienna|Sturm Graz|Grasshopper|Basel|Sion|
Steaua Bucharest|Dinamo Bucharest|Sparta Prague|Slavia Prague|Legia Warsaw|Widzew Lodz|Red Star|
Partizan|Croatia Zagreb|Hajduk Split|Ferencvaros|Ujpest|Rosenborg|Brondby|IFK Gothenburg|Malmo|
Maccabi Tel Aviv|Hapoel Haifa
"""
_NICKNAMES = """
Atlanta Braves|Baltimore Orioles|Boston Red Sox|Chicago Cubs|Chicago White Sox|Cincinnati Reds|
Cleveland Indians|Colorado Rockies|Detroit Tigers|Florida Marlins|Houston Astros|
Kansas City Royals|Los Angeles Dodgers|Milwaukee Brewers|Minnesota Twins|Montreal Expos|
New York Mets|New York Yankees|Oakland Athletics|Philadelphia Phillies|Pittsburgh Pirates|
San Diego Padres|San Francisco Giants|Seattle Mariners|St. Louis Cardinals|Texas Rangers|
Toronto Blue Jays|Atlanta Hawks|Boston Celtics|Charlotte Hornets|Chicago Bulls|Dallas Mavericks|
Denver Nuggets|Detroit Pistons|Indiana Pacers|Los Angeles Lakers|Miami Heat|Milwaukee Bucks|
New Jersey Nets|New York Knicks|Orlando Magic|Phoenix Suns|Portland Trail Blazers|
Sacramento Kings|San Antonio Spurs|Utah Jazz|Anaheim Ducks|Boston Bruins|Buffalo Sabres|
Calgary Flames|Colorado Avalanche|Detroit Red Wings|Edmonton Oilers|Hartford Whalers|
Montreal Canadiens|Ottawa Senators|Philadelphia Flyers|Pittsburgh Penguins|Tampa Bay Lightning|
Toronto Maple Leafs|Vancouver Canucks|Arizona Cardinals|Atlanta Falcons|Buffalo Bills|
Carolina Panthers|Chicago Bears|Cincinnati Bengals|Dallas Cowboys|Denver Broncos|
Green Bay Packers|Houston Oilers|Indianapolis Colts|Jacksonville Jaguars|Kansas City Chiefs|
Miami Dolphins|Minnesota Vikings|New England Patriots|New Orleans Saints|Oakland Raiders|
Pittsburgh Steelers|Seattle Seahawks
"""
_COUNTIES = """
Derbyshire|Durham|Essex|Glamorgan|Gloucestershire|Hampshire|Kent|Lancashire|Leicestershire|
Middlesex|Northamptonshire|Nottinghamshire|Somerset|Surrey|Sussex|Warwickshire|Worcestershire|
Yorkshire|Wigan|St Helens|Bradford|Leeds|Castleford|Halifax|Warrington|Brisbane|Canberra|
Canterbury|Cronulla|Parramatta|Carlton|Collingwood|Essendon|Fremantle|Geelong|Hawthorn|Richmond|
West Coast|Natal|Transvaal|Otago|Waikato|Queensland|Victoria|New South Wales
"""
_NATIONS = """
Argentina|Australia|Austria|Belgium|Brazil|Britain|Bulgaria|Canada|Chile|China|Colombia|Croatia|
Cuba|Czech Republic|Denmark|Egypt|England|Ethiopia|Finland|France|Germany|Greece|Hungary|India|
Indonesia|Iran|Iraq|Ireland|Israel|Italy|Jamaica|Japan|Kenya|Kuwait|Malaysia|Mexico|Morocco|
Netherlands|New Zealand|Nigeria|Norway|Pakistan|Poland|Portugal|Romania|Russia|Saudi Arabia|
Scotland|Slovakia|Slovenia|South Africa|South Korea|Spain|Sri Lanka|Sweden|Switzerland|Syria|
Thailand|Turkey|U.S.|Ukraine|United States|Uruguay|Wales|West Indies|Yugoslavia|Zimbabwe
"""
_CITIES = """
Amsterdam|Ankara|Athens|Baghdad|Bangkok|Beijing|Beirut|Belgrade|Berlin|Bogota|Bonn|Boston|
Brussels|Bucharest|Budapest|Buenos Aires|Cairo|Caracas|Chicago|Colombo|Copenhagen|Dallas|Delhi|
Detroit|Dhaka|Dublin|Frankfurt|Geneva|Hanoi|Havana|Helsinki|Hong Kong|Houston|Islamabad|
Istanbul|Jakarta|Jerusalem|Johannesburg|Karachi|Kiev|Kuala Lumpur|Lagos|Lima|Lisbon|London|
Los Angeles|Madrid|Manila|Melbourne|Mexico City|Miami|Milan|Montreal|Moscow|Nairobi|New Delhi|
New York|Oslo|Paris|Prague|Pretoria|Rome|Santiago|Sao Paulo|Sarajevo|Seoul|Singapore|Sofia|
Stockholm|Sydney|Taipei|Tehran|Tel Aviv|Tokyo|Toronto|Tunis|Vienna|Warsaw|Washington|Zagreb|
Zurich
"""
_BODIES = """
U.N.|EU|NATO|OPEC|IMF|World Bank|OECD|WTO|European Commission|European Union|United Nations|
Red Cross|FIFA|UEFA|IOC|NBA|NHL|NFL|CIA|FBI|IRA|PLO|PKK|Hamas|Hizbollah|Sinn Fein|Labour|
Amnesty International|Greenpeace|Fed|Bundesbank|Treasury|Congress|Senate|Pentagon|
State Department|White House|Kremlin|Supreme Court|Security Council|European Parliament|
Foreign Ministry|Finance Ministry|Interior Ministry
"""
_AGENCIES = """
Reuters|Reuter|AP|AFP|Itar-Tass|Xinhua|Kyodo|Tass|PA|dpa|ANSA|IRNA|Anatolian|MENA|Tanjug|CTK|
PAP|BTA
"""
_FIRMS = """
Ford|Boeing|Siemens|Volkswagen|Daimler|BMW|Renault|Fiat|Philips|Shell|Exxon|BP|Total|Sony|
Toyota|Honda|Nissan|Hitachi|Microsoft|Intel|IBM|Apple|AT&T|Sprint|Nestle|Novartis|Roche|
Deutsche Bank|Barclays|HSBC|Lloyds|Citicorp|Merrill Lynch|Goldman Sachs|Morgan Stanley|
J.P. Morgan|Salomon Brothers|Lufthansa|British Airways|Air France|KLM|Moody's|Standard & Poor's|
Nokia|Ericsson|Volvo|Olivetti|Telecom Italia|Eni|Repsol|Telefonica|Akzo|Unilever
"""
_ENDINGS = ("Inc", "Corp", "Co", "Ltd", "Plc", "AG", "SA", "NV", "Group", "Bank", "Holdings")
_MONTHS = [
    "Jan",
    "Feb",
    "March",
    "April",
    "May",
    "June",
    "July",
    "Aug",
    "Sept",
    "Oct",
    "Nov",
    "Dec",
]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_SPORTS = [
    "SOCCER",
    "CRICKET",
    "TENNIS",
    "GOLF",
    "BASEBALL",
    "BASKETBALL",
    "CYCLING",
    "ATHLETICS",
    "RUGBY",
    "HOCKEY",
    "BOXING",
    "SKIING",
]


def _names(text: str) -> list[str]:
    return " ".join(text.split()).replace("| ", "|").split("|")


class Wires:
    """Makes lines by chance, the same ones every time."""

    def __init__(self, texts: Sequence[Text], seed: int = 0) -> None:
        self._chance = random.Random(seed)
        full = _persons(texts)
        self._persons = [name for name in full if name.replace(" ", "").isalpha()]
        self._firms = [f"{name.split()[-1]} {end}" for name in full for end in _ENDINGS[:2]]
        nicknamed = _names(_NICKNAMES)
        short = [" ".join(name.split()[:-1]) for name in nicknamed]
        american = [one.replace(" Red", "").replace(" White", "") for one in short]
        self._leagues = [_names(_ENGLAND), _names(_EUROPE), nicknamed, american, _names(_COUNTIES)]
        self._nations, self._cities = _names(_NATIONS), _names(_CITIES)
        self._bodies, self._agencies = _names(_BODIES), _names(_AGENCIES)
        self._listed = _names(_FIRMS)

    def made(self, documents: int) -> list[Text]:
        return [Text(tuple(self._document())) for _ in range(documents)]

    def _document(self) -> list[Labelled]:
        """A dateline, then some lines of one kind."""
        kind = self._chance.choice(KINDS)
        league = self._teams()
        lines = [self._headline(), self._dateline()]
        lines += (self._read(kind(self, league)) for _ in range(self._chance.randint(3, 9)))
        return lines

    def _teams(self) -> tuple[str, Sequence[str]]:
        if self._chance.random() < 0.3:
            return "LOC", self._nations
        return "ORG", self._chance.choice(self._leagues)

    def pick(self, names: Sequence[str]) -> str:
        return self._chance.choice(names)

    def number(self, most: int) -> str:
        return str(self._chance.randint(0, most))

    def person(self) -> str:
        name = self.pick(self._persons)
        short = self._chance.random()
        if short < 0.15:
            name = f"{name[0]}. {name.split()[-1]}"
        return f"<PER {name}>"

    def nation(self) -> str:
        return f"<LOC {self.pick(self._nations)}>"

    def city(self) -> str:
        return f"<LOC {self.pick(self._cities)}>"

    def body(self) -> str:
        return f"<ORG {self.pick(self._bodies)}>"

    def firm(self) -> str:
        names = self._listed if self._chance.random() < 0.6 else self._firms
        return f"<ORG {self.pick(names)}>"

    def agency(self) -> str:
        return f"<ORG {self.pick(self._agencies)}>"

    def team(self, teams: tuple[str, Sequence[str]]) -> str:
        return f"<{teams[0]} {self.pick(teams[1])}>"

    def pair(self, teams: tuple[str, Sequence[str]]) -> tuple[str, str]:
        first, second = self._chance.sample(list(teams[1]), 2)
        return f"<{teams[0]} {first}>", f"<{teams[0]} {second}>"

    def date(self) -> str:
        day = self._chance.randint(1, 28)
        if self._chance.random() < 0.5:
            return f"{self._chance.randint(1990, 2025)}-{self._chance.randint(1, 12):02}-{day:02}"
        return f", {self.pick(_MONTHS)} {day}"

    def _dateline(self) -> Labelled:
        place = self.city()
        upper = "<LOC " + place[5:].upper()
        tail = self.pick((self.date(), f"{self.date()} ( {self.agency()} ) -"))
        return self._read(f"{upper} {tail}")

    def _headline(self) -> Labelled:
        teams = self._teams()
        one, two = self.pair(teams)
        line = self.pick((
            f"{self.pick(_SPORTS)} - {one} BEAT {two} {self.number(5)}-{self.number(4)} .",
            f"{self.pick(_SPORTS)} - {self.person()} WINS IN {self.city()} .",
            f"{self.pick(_SPORTS)} - RESULTS FROM {self.nation()} .",
            f"{self.nation()} SAYS {self.body()} TALKS TO GO ON .",
            f"{self.firm()} SHARES FALL IN {self.city()} .",
        ))  # fmt: skip
        return [(word.upper(), label) for word, label in self._read(line)]

    def _read(self, line: str) -> Labelled:
        """ "<ORG Aston Villa> 2" as tokens and labels."""
        read: Labelled = []
        label = ""
        for word in line.split():
            if word[:1] == "<":
                label = f"B-{word[1:]}"
            else:
                ends = word.endswith(">") and bool(label)
                read.append((word.removesuffix(">") if ends else word, label or "O"))
                label = "" if ends else label.replace("B-", "I-")
        return read


Teams = tuple[str, Sequence[str]]


def _result(wires: Wires, teams: Teams) -> str:
    one, two = wires.pair(teams)
    return wires.pick((
        f"{one} {wires.number(6)} {two} {wires.number(6)}",
        f"{one} {wires.number(120)} {two} {wires.number(120)} ( OT )",
        f"{one} at {two}",
        f"{one.upper()} AT {two.upper()}",
        f"{one} v {two}",
        f"{one} {wires.number(3)} ( {wires.person()} {wires.number(90)} ) {two} {wires.number(2)}",
    ))  # fmt: skip


def _table(wires: Wires, teams: Teams) -> str:
    team = wires.team(teams)
    if wires.pick("ab") == "a":
        team = team[:5] + team[5:].upper()
    return f"{team} {' '.join(wires.number(90) for _ in range(int(wires.number(5)) + 3))}"


def _match(wires: Wires, teams: Teams) -> str:
    one, two = wires.pair(teams)
    day = wires.pick(_DAYS)
    return wires.pick((
        f"{one} beat {two} {wires.number(5)}-{wires.number(4)} on {day} "
        f"with two goals by {wires.person()} .",
        f"{wires.person()} scored for {one} in the second half .",
        f"{one} coach {wires.person()} said his players were tired after the match at {two} .",
        f"In {wires.city()} , {wires.person()} led {one} past {two} .",
        f"{one} moved three points clear of {two} at the top of the first division .",
        f"{one} signed {wires.person()} from {two} on {day} .",
        f"{one} won the toss and elected to bat against {two} .",
        f"The {one} , who lost to {two} on {day} , have won four of six .",
        f"{wires.person()} of {one} was sent off .",
    ))  # fmt: skip


def _single(wires: Wires, teams: Teams) -> str:
    sets = " ".join(f"{wires.number(7)}-{wires.number(7)}" for _ in range(2))
    time = f"{wires.number(59)}.{wires.number(99)}"
    return wires.pick((
        f"{wires.person()} ( {wires.nation()} ) beat {wires.person()} ( {wires.nation()} ) {sets}",
        f"{wires.number(9)} - {wires.person()} ( {wires.nation()} ) beat "
        f"{wires.person()} ( {wires.nation()} ) {sets}",
        f"{wires.number(12)}. {wires.person()} ( {wires.nation()} ) {time}",
        f"{wires.number(12)} {wires.person()} ( {wires.team(teams)} ) {time} seconds",
        f"{wires.number(80)} {wires.person()} {wires.number(80)} {wires.number(80)}",
        f"{wires.person()} c <PER {wires.person().split()[-1]} b {wires.person()} "
        f"{wires.number(99)}",
        f"{wires.person()} , {wires.nation()} , {time}",
    ))  # fmt: skip


def _politics(wires: Wires, _teams: Teams) -> str:
    day = wires.pick(_DAYS)
    return wires.pick((
        f"{wires.body()} envoy {wires.person()} met {wires.person()} in {wires.city()} on {day} .",
        f"{wires.nation()} asked the {wires.body()} to send observers , "
        f"{wires.agency()} news agency said .",
        f"The {wires.body()} said on {day} that {wires.nation()} had agreed to talks .",
        f"{wires.agency()} quoted {wires.person()} as saying {wires.nation()} would leave "
        f"the {wires.body()} .",
        f"{wires.body()} officials in {wires.city()} declined to comment .",
        f"{wires.agency()} has not verified this report and does not vouch for its accuracy .",
    ))  # fmt: skip


def _business(wires: Wires, _teams: Teams) -> str:
    return wires.pick((
        f"{wires.firm()} said its profit rose {wires.number(90)} percent in {wires.nation()} .",
        f"{wires.firm()} shares closed {wires.number(90)} pence lower in {wires.city()} .",
        f"Analyst {wires.person()} of {wires.firm()} cut the estimate for {wires.firm()} .",
        f"{wires.firm()} {wires.number(90)} {wires.number(99)} pct "
        f"{wires.firm()} {wires.number(90)}",
        f"{wires.firm()} is to buy {wires.firm()} for $ {wires.number(900)} million .",
        f"{wires.firm()} chairman {wires.person()} said the {wires.body()} had cleared the deal .",
    ))  # fmt: skip


KINDS: tuple[Callable[[Wires, Teams], str], ...] = (
    _result,
    _table,
    _match,
    _match,
    _single,
    _politics,
    _business,
)


def _persons(texts: Sequence[Text]) -> list[str]:
    """Those of two or three words in text that is no tweet."""
    found: set[str] = set()
    for text in texts:
        for sentence in () if text.tweets else text.sentences:
            words: list[str] = []
            for word, label in (*sentence, ("", "O")):
                if words and label != "I-PER":
                    found.add(" ".join(words))
                    words = []
                if label[2:] == "PER":
                    words.append(word)
    return sorted(name for name in found if len(name.split()) in (2, 3))
