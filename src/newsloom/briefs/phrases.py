"""What a brief says of its own, by language: greeting, date, who reports, chapters, close. Data.

To add a language: a row in PHRASES, and its rows in docs/use/briefs.md. Languages without one get
`PLAIN`, which has no words at all: the date in figures, names of publishers, headlines.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Phrases:
    """Of one language. `{}` is what is named."""

    language: str
    title: str  # of the brief; the date
    hours: tuple[tuple[int, str], ...]  # from which hour on which greeting; the last one until 24
    opening: str  # the date
    headlines: str  # before them
    only: str  # only articles in this language are told of
    short: str  # it is shorter than asked for
    nothing_else: str  # one matter alone
    reports: tuple[str, ...]  # the publisher
    adds: tuple[str, ...]  # the publisher of a further sentence on the same matter
    follows: str  # before what is new of a story that the reader follows
    developed: str  # before what is new of a matter of an earlier brief
    first: str  # the title of the chapter of the most important matters
    for_you: str  # the title of the chapter of what the reader's model and interests chose
    yours: str  # before that chapter
    others: str  # the title of the last chapter
    starts: tuple[str, ...]  # a chapter; its title
    goes_on: tuple[str, ...]  # before a chapter without a title of its own
    last: str  # before the last chapter, of lighter matters
    close: str
    opens: str  # the title of the opening
    closes: str  # the title of the close
    date: str  # {weekday} {day} {month} {year}
    weekdays: tuple[str, ...] = ()
    months: tuple[str, ...] = ()

    def greeting(self, hour: int) -> str:
        """By the hour where the reader is."""
        return next((words for at, words in reversed(self.hours) if hour >= at), "")

    def day(self, moment: datetime) -> str:
        """A date in words."""
        if not self.weekdays:
            return f"{moment:%Y-%m-%d}"
        return self.date.format(
            weekday=self.weekdays[moment.weekday()],
            day=moment.day,
            month=self.months[moment.month - 1],
            year=moment.year,
        )


PHRASES = (
    Phrases(
        language="en",
        title="News brief of {}",
        hours=(
            (0, "Hello."),
            (5, "Good morning."),
            (12, "Good afternoon."),
            (17, "Good evening."),
            (22, "Hello."),
        ),
        opening="This is your news for {}.",
        headlines="The headlines.",
        only="It covers the articles written in English.",
        short="There is less news than usual, so this is a short brief.",
        nothing_else="There is one story today.",
        reports=("{} reports:", "From {}:", "According to {}:", "{} writes:"),
        adds=("{} adds:", "And from {}:", "{} also reports:"),
        follows="An update on a story you follow.",
        developed="There is news on a story you have heard before.",
        first="The main news",
        for_you="For you",
        yours="Now to what interests you.",
        others="Also in the news",
        starts=("Now to {}.", "We turn to {}.", "Next, {}.", "On to {}."),
        goes_on=("More news.", "In other news.", "There are further reports."),
        last="And, to finish, other news.",
        close="That was the news. Thank you for listening.",
        opens="Headlines",
        closes="Close",
        date="{weekday}, {day} {month} {year}",
        weekdays=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        months=(
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ),
    ),
    Phrases(
        language="de",
        title="Nachrichten vom {}",
        hours=(
            (0, "Hallo."),
            (5, "Guten Morgen."),
            (11, "Guten Tag."),
            (18, "Guten Abend."),
            (22, "Hallo."),
        ),
        opening="Hier sind Ihre Nachrichten, {}.",
        headlines="Die Schlagzeilen.",
        only="Sie hören die Artikel, die auf Deutsch geschrieben sind.",
        short="Es gibt weniger Neues als sonst, darum eine kurze Ausgabe.",
        nothing_else="Es gibt eine Meldung.",
        reports=("{} berichtet:", "{} meldet:", "{} schreibt:", "Aus der Quelle {}:"),
        adds=("{} ergänzt:", "Dazu {}:", "{} berichtet weiter:"),
        follows="Neues zu einem Thema, dem Sie folgen.",
        developed="Es gibt Neues zu einem Thema, von dem Sie schon gehört haben.",
        first="Die wichtigsten Nachrichten",
        for_you="Für Sie",
        yours="Nun zu dem, was Sie interessiert.",
        others="Weitere Meldungen",
        starts=("Zum Thema {}.", "Weiter mit {}.", "Nun zu {}.", "Es folgt {}."),
        goes_on=("Weitere Nachrichten.", "Es gibt noch mehr.", "Weitere Berichte."),
        last="Zum Schluss weitere Meldungen.",
        close="Das waren die Nachrichten. Danke fürs Zuhören.",
        opens="Schlagzeilen",
        closes="Schluss",
        date="{weekday}, {day}. {month} {year}",
        weekdays=("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
        months=(
            "Januar",
            "Februar",
            "März",
            "April",
            "Mai",
            "Juni",
            "Juli",
            "August",
            "September",
            "Oktober",
            "November",
            "Dezember",
        ),
    ),
    Phrases(
        language="ko",
        title="{} 뉴스 브리핑",
        hours=((0, "안녕하십니까."), (5, "좋은 아침입니다."), (12, "안녕하십니까.")),
        opening="{} 뉴스를 전해 드립니다.",
        headlines="주요 소식입니다.",
        only="한국어로 쓰인 기사만 전해 드립니다.",
        short="새 소식이 적어 짧게 전해 드립니다.",
        nothing_else="전해 드릴 소식은 하나입니다.",
        reports=("{} 보도입니다.", "{} 기사입니다.", "{} 소식입니다."),
        adds=("{} 보도를 덧붙입니다.", "{} 소식도 있습니다."),
        follows="관심 있게 보시는 이야기의 새 소식입니다.",
        developed="앞서 전해 드린 일에 새 소식이 있습니다.",
        first="주요 뉴스",
        for_you="맞춤 소식",
        yours="관심 있어 하실 소식입니다.",
        others="그 밖의 소식",
        starts=("다음은 {} 소식입니다.", "이어서 {} 소식입니다."),
        goes_on=("다음 소식입니다.", "이어지는 소식입니다.", "계속해서 전해 드립니다."),
        last="끝으로 그 밖의 소식을 전해 드립니다.",
        close="지금까지 뉴스를 전해 드렸습니다. 들어 주셔서 고맙습니다.",
        opens="주요 소식",
        closes="맺음",
        date="{year}년 {month} {day}일 {weekday}",
        weekdays=("월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일"),
        months=tuple(f"{number}월" for number in range(1, 13)),
    ),
    Phrases(
        language="es",
        title="Noticias del {}",
        hours=((0, "Hola."), (6, "Buenos días."), (13, "Buenas tardes."), (21, "Buenas noches.")),
        opening="Estas son sus noticias del {}.",
        headlines="Los titulares.",
        only="Incluye los artículos escritos en español.",
        short="Hay menos novedades que de costumbre, así que será breve.",
        nothing_else="Hay una sola noticia.",
        reports=("{} informa:", "Según {}:", "Escribe {}:", "De {}:"),
        adds=("{} añade:", "También de {}:", "{} informa además:"),
        follows="Novedades de una historia que usted sigue.",
        developed="Hay novedades sobre un asunto del que ya ha oído.",
        first="Las noticias principales",
        for_you="Para usted",
        yours="Ahora, lo que le interesa.",
        others="Otras noticias",
        starts=("Ahora, {}.", "Pasamos a {}.", "A continuación, {}."),
        goes_on=("Más noticias.", "En otras noticias.", "Seguimos con más informaciones."),
        last="Y para terminar, otras noticias.",
        close="Estas han sido las noticias. Gracias por escuchar.",
        opens="Titulares",
        closes="Cierre",
        date="{weekday} {day} de {month} de {year}",
        weekdays=("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
        months=(
            "enero",
            "febrero",
            "marzo",
            "abril",
            "mayo",
            "junio",
            "julio",
            "agosto",
            "septiembre",
            "octubre",
            "noviembre",
            "diciembre",
        ),
    ),
    Phrases(
        language="fr",
        title="Les nouvelles du {}",
        hours=((0, "Bonsoir."), (5, "Bonjour."), (18, "Bonsoir.")),
        opening="Voici vos nouvelles du {}.",
        headlines="Les titres.",
        only="Elles viennent des articles écrits en français.",
        short="Il y a moins de nouvelles que d'habitude, cette édition est donc brève.",
        nothing_else="Il y a une seule nouvelle.",
        reports=("{} rapporte :", "Selon {} :", "{} écrit :", "Source {} :"),
        adds=("{} ajoute :", "Et, d'après {} :", "{} précise :"),
        follows="Du nouveau dans une affaire que vous suivez.",
        developed="Il y a du nouveau dans une affaire dont vous avez déjà entendu parler.",
        first="L'essentiel",
        for_you="Pour vous",
        yours="Voici ce qui vous intéresse.",
        others="Autres nouvelles",
        starts=("Maintenant, {}.", "Passons à {}.", "Ensuite, {}."),
        goes_on=("D'autres nouvelles.", "Dans l'actualité encore.", "Nous continuons."),
        last="Et pour finir, d'autres nouvelles.",
        close="C'étaient les nouvelles. Merci de votre écoute.",
        opens="Titres",
        closes="Fin",
        date="{weekday} {day} {month} {year}",
        weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
        months=(
            "janvier",
            "février",
            "mars",
            "avril",
            "mai",
            "juin",
            "juillet",
            "août",
            "septembre",
            "octobre",
            "novembre",
            "décembre",
        ),
    ),
    Phrases(
        language="it",
        title="Notizie di {}",
        hours=((0, "Salve."), (5, "Buongiorno."), (14, "Buon pomeriggio."), (18, "Buonasera.")),
        opening="Ecco le sue notizie di {}.",
        headlines="I titoli.",
        only="Comprende gli articoli scritti in italiano.",
        short="Ci sono meno novità del solito, quindi l'edizione è breve.",
        nothing_else="C'è una sola notizia.",
        reports=("{} riferisce:", "Secondo {}:", "{} scrive:", "Da {}:"),
        adds=("{} aggiunge:", "Anche da {}:", "{} riferisce inoltre:"),
        follows="Novità su una storia che lei segue.",
        developed="Ci sono novità su una vicenda di cui ha già sentito parlare.",
        first="Le notizie principali",
        for_you="Per lei",
        yours="Ora, ciò che le interessa.",
        others="Altre notizie",
        starts=("Ora {}.", "Passiamo a {}.", "Proseguiamo con {}."),
        goes_on=("Altre notizie.", "E ancora.", "Proseguiamo con altre notizie."),
        last="E per finire, altre notizie.",
        close="Queste erano le notizie. Grazie per l'ascolto.",
        opens="Titoli",
        closes="Chiusura",
        date="{weekday} {day} {month} {year}",
        weekdays=("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"),
        months=(
            "gennaio",
            "febbraio",
            "marzo",
            "aprile",
            "maggio",
            "giugno",
            "luglio",
            "agosto",
            "settembre",
            "ottobre",
            "novembre",
            "dicembre",
        ),
    ),
)

PLAIN = Phrases(
    language="",
    title="{}",
    hours=((0, ""),),
    opening="{}.",
    headlines="",
    only="",
    short="",
    nothing_else="",
    reports=("{}:",),
    adds=("{}:",),
    follows="",
    developed="",
    first="1",
    for_you="",
    yours="",
    others="…",
    starts=("{}.",),
    goes_on=("",),
    last="",
    close="",
    opens="0",
    closes="",
    date="",
)


def phrases(language: str) -> Phrases:
    """Those of a language, or those without words."""
    return next((one for one in PHRASES if one.language == language), PLAIN)
