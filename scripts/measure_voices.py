"""How fast voices speak: words a minute of ordinary news, pauses included.

    .venv/bin/python scripts/measure_voices.py
    .venv/bin/python scripts/measure_voices.py en=piper:en_US-joe-medium

Prints the table PACE of briefs/voices/espeak.py: for each language some sentences of its news, as
Newsloom says them (text made speakable, silence around sentences cut off, pauses put between).
"""

from __future__ import annotations

import os
import sys

from newsloom.briefs import voices
from newsloom.briefs.planning import units
from newsloom.briefs.sound import RATE
from newsloom.briefs.sound.sentences import prepared, timeline
from newsloom.briefs.speakable import speakable
from newsloom.kernel.settings import load

# Our own sentences, of the length of news: 18 words in English.
NEWS = {
    "en": (
        "The central bank raised interest rates by 0.25 points on Tuesday, the third increase "
        "since the spring.",
        "According to the ministry, more than 1,200 people had to leave their homes when the river "
        "rose overnight.",
        "The company, based in Leeds, said sales had grown by 14% to £3.2 million in the last "
        "quarter.",
        "“We will decide in December,” the mayor told reporters after a meeting of three hours.",
        "Families waited at the harbour until the last boat had come in, and some of them stayed "
        "there through the night.",
        "It used to be empty, but now there is a waiting list, because whoever takes the early "
        "hour gets a late one free.",
        "The road is closed in both directions between the hospital and the brewery after a water "
        "main burst this morning.",
        "Officials said talks would go on next week, and that neither side had asked for a break.",
    ),
    "de": (
        "Die Zentralbank hat am Dienstag die Zinsen um 0,25 Punkte angehoben, zum dritten Mal seit "
        "dem Frühjahr.",
        "Nach Angaben des Ministeriums mussten mehr als 1.200 Menschen ihre Häuser verlassen, als "
        "der Fluss über Nacht stieg.",
        "Das Unternehmen mit Sitz in Köln steigerte seinen Umsatz im letzten Quartal um 14 % auf "
        "3,2 Millionen Euro.",
        "„Wir entscheiden im Dezember“, sagte die Bürgermeisterin nach einer Sitzung von drei "
        "Stunden.",
        "Die Familien warteten am Hafen, bis das letzte Boot eingelaufen war, und manche blieben "
        "dort die ganze Nacht.",
        "Früher war die Bahn leer, aber jetzt gibt es eine Warteliste, denn wer die frühe Stunde "
        "nimmt, bekommt eine späte umsonst.",
        "Die Straße ist nach einem Rohrbruch zwischen dem Krankenhaus und der Brauerei in beiden "
        "Richtungen gesperrt.",
        "Die Gespräche gehen nächste Woche weiter, und keine der Seiten hat um eine Pause gebeten.",
    ),
    "fr": (
        "La banque centrale a relevé mardi ses taux de 0,25 point, pour la troisième fois depuis "
        "le printemps.",
        "Selon le ministère, plus de 1 200 personnes ont dû quitter leur maison lorsque la rivière "
        "est montée dans la nuit.",
        "L’entreprise, installée à Lyon, a vu ses ventes progresser de 14 % au dernier trimestre.",
    ),
    "es": (
        "El banco central subió el martes los tipos de interés 0,25 puntos, por tercera vez desde "
        "la primavera.",
        "Según el ministerio, más de 1.200 personas tuvieron que dejar sus casas cuando el río "
        "creció durante la noche.",
        "La empresa, con sede en Sevilla, aumentó sus ventas un 14 % en el último trimestre.",
    ),
    "it": (
        "Martedì la banca centrale ha alzato i tassi di 0,25 punti, per la terza volta dalla "
        "primavera.",
        "Secondo il ministero, più di 1.200 persone hanno dovuto lasciare le loro case quando il "
        "fiume è salito nella notte.",
    ),
    "pt": (
        "O banco central aumentou os juros em 0,25 ponto na terça-feira, pela terceira vez desde a "
        "primavera.",
        "Segundo o ministério, mais de 1.200 pessoas tiveram de deixar suas casas quando o rio "
        "subiu durante a noite.",
    ),
    "nl": (
        "De centrale bank verhoogde dinsdag de rente met 0,25 punt, voor de derde keer sinds het "
        "voorjaar.",
        "Volgens het ministerie moesten meer dan 1.200 mensen hun huis verlaten toen de rivier "
        "'s nachts steeg.",
    ),
    "pl": (
        "Bank centralny podniósł we wtorek stopy procentowe o 0,25 punktu, po raz trzeci od "
        "wiosny.",
        "Według ministerstwa ponad 1200 osób musiało opuścić domy, gdy w nocy wezbrała rzeka.",
    ),
    "ru": (
        "Центральный банк во вторник повысил ставку на 0,25 пункта, в третий раз с весны.",
        "По данным министерства, более 1200 человек покинули свои дома, когда ночью поднялась "
        "вода в реке.",
    ),
    "ko": (
        "중앙은행은 화요일에 금리를 0.25퍼센트포인트 올렸으며, 이는 봄 이후 세 번째 인상이다.",
        "정부에 따르면 밤사이 강물이 불어나면서 주민 1,200명 이상이 집을 떠나야 했다.",
        "부산에 본사를 둔 이 회사는 지난 분기 매출이 14% 늘었다고 밝혔다.",
    ),
    "ja": (
        "中央銀行は火曜日に政策金利を0.25ポイント引き上げ、引き上げは春から三回目となった。",
        "省によると、夜の間に川の水が増え、1200人以上が家を離れた。",
    ),
    "zh": (
        "中央银行周二将利率上调了0.25个百分点，这是春季以来的第三次加息。",
        "据该部门介绍，河水夜间上涨，一千二百多人不得不离开家园。",
    ),
}  # fmt: skip


def pace(language: str, sentences: tuple[str, ...], name: str) -> float:
    """Words (or characters) a minute."""
    voice = voices.voice(load(None, os.environ), language, name)
    lengths = []
    for one in sentences:
        speech = voice.speak(speakable(one, language))
        lengths.append(len(prepared(speech.samples, speech.rate)))
    voice.close()
    # Twelve sentences a chapter, as briefs have them.
    many = lengths * (60 // len(lengths))
    total = timeline(many, range(0, len(many), 12)).total / RATE
    return 60 * sum(units(one, language) for one in sentences) * (60 // len(lengths)) / total


def main() -> None:
    named = dict(one.split("=", 1) for one in sys.argv[1:]) or dict.fromkeys(NEWS, "espeak")
    for language, name in named.items():
        print(f'    "{language}": {pace(language, NEWS[language], name):.0f},')


if __name__ == "__main__":
    main()
