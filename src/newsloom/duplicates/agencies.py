"""News agencies as data: what they are called where they sign. Decides nothing."""

from __future__ import annotations

from dataclasses import dataclass

WIRE = "wire"  # reports for papers to print
PRESS = "press release"  # what companies and offices pay to have sent
SYNDICATE = "syndicate"  # articles free or sold to be printed again


@dataclass(frozen=True, slots=True)
class Agency:
    """`names` are separated by bars and hold as written; with `anywhere` also as an author."""

    name: str
    names: str
    kind: str = WIRE
    anywhere: bool = True  # False: so short a name that it only counts in a dateline
    signs: str = ""  # a pattern of a form of its own, anywhere in the beginning or the end
    marks: tuple[str, ...] = ()  # one of them stands in each of those


AGENCIES = (
    Agency("Reuters", "Reuters|Thomson Reuters|REUTERS|Reuters News|Agencia Reuters|Рейтер"),
    Agency(
        "AP",
        "AP|A.P.|Associated Press|ASSOCIATED PRESS|AP News",
        signs=r"(?:Associated Press|\bAP)(?: \w+){0,2} (?:[Ww]rit|[Rr]eport)ers? [A-Z]",
        marks=("riter", "eporter"),
    ),
    Agency("AFP", "AFP|Agence France-Presse|Agence France Presse|AFP News|AFP/RSS|AFP-JIJI"),
    Agency("dpa", "dpa|DPA|dpa-AFX|Deutsche Presse-Agentur|dpa international"),
    Agency("AAP", "AAP|Australian Associated Press|AAP Newswire"),
    Agency("Adnkronos", "Adnkronos|ADNKRONOS"),
    Agency("Agência Brasil", "Agência Brasil|Agencia Brasil"),
    Agency("Agerpres", "Agerpres|AGERPRES"),
    Agency("AGI", "AGI", anywhere=False),
    Agency("Anadolu", "Anadolu|Anadolu Agency|Anadolu Ajansı|Anadolu Agency (AA)"),
    Agency("Anadolu", "AA", anywhere=False),
    Agency("ANI", "ANI|Asian News International"),
    Agency("ANP", "ANP"),
    Agency("ANSA", "ANSA|Agenzia ANSA"),
    Agency("Antara", "ANTARA|Antara|ANTARA News"),
    Agency("APA", "APA|Austria Presse Agentur"),
    Agency("askanews", "askanews|Askanews"),
    Agency("Belga", "Belga|BELGA"),
    Agency("Bernama", "Bernama|BERNAMA"),
    Agency("Bloomberg", "Bloomberg|Bloomberg News|BLOOMBERG"),
    Agency(
        "Canadian Press",
        "The Canadian Press|Canadian Press|THE CANADIAN PRESS|La Presse Canadienne|CP",
        signs=r"This report by The Canadian Press",
        marks=("This report by",),
    ),
    Agency("ČTK", "ČTK|CTK"),
    Agency("EFE", "EFE|Agencia EFE|EFEAGRO|EFEVERDE"),
    Agency("epd", "epd"),
    Agency("Europa Press", "Europa Press|EUROPA PRESS"),
    Agency("HINA", "Hina|HINA"),
    Agency("IANS", "IANS|Indo-Asian News Service"),
    Agency("Interfax", "Interfax|INTERFAX|Интерфакс|ИНТЕРФАКС|Interfax-Ukraine"),
    Agency("IRNA", "IRNA"),
    Agency(
        "Jiji",
        "Jiji|Jiji Press|時事通信|共同通信・時事",
        signs=r"【[^】\n]{1,15}時事】",
        marks=("時事】",),
    ),
    Agency("Keystone-SDA", "Keystone-SDA|Keystone-ATS|sda|SDA|ATS"),
    Agency("KNA", "KNA"),
    Agency("KUNA", "KUNA"),
    Agency(
        "Kyodo",
        "Kyodo|Kyodo News|KYODO|共同通信|共同",
        signs=r"【[^】\n]{1,15}共同】",
        marks=("共同】",),
    ),
    Agency("Lusa", "Lusa|LUSA|Agência Lusa"),
    Agency("MENA", "MENA", anywhere=False),
    Agency("MTI", "MTI"),
    Agency("NAN", "NAN", anywhere=False),
    Agency("Notimex", "Notimex|NOTIMEX"),
    Agency("NTB", "NTB|©NTB"),
    Agency("PA", "PA Media|Press Association|PA news agency|PA"),
    Agency("PAP", "PAP"),
    Agency("PNA", "PNA|Philippine News Agency|Philippines News Agency"),
    Agency("PTI", "PTI|Press Trust of India|Press Trust Of India"),
    Agency("QNA", "QNA"),
    Agency("RIA", "RIA Novosti|RIA|РИА Новости", signs=r"[-–—] РИА Новости\b", marks=("РИА",)),
    Agency("Ritzau", "Ritzau|ritzau|RITZAU"),
    Agency("SID", "SID"),
    Agency("SPA", "SPA|Saudi Press Agency", anywhere=False),
    Agency("STT", "STT"),
    Agency("Tanjug", "Tanjug|TANJUG"),
    Agency("TASS", "TASS|ITAR-TASS|ТАСС", signs=r"/ТАСС/", marks=("ТАСС",)),
    Agency("Télam", "Télam|Telam"),
    Agency("TT", "TT"),
    Agency("Ukrinform", "Ukrinform|Укрінформ"),
    Agency("UNI", "UNI", anywhere=False),
    Agency("UPI", "UPI|United Press International"),
    Agency("VNA", "VNA|VNS"),
    Agency("WAM", "WAM"),
    Agency(
        "Xinhua",
        "Xinhua|XINHUA|Xinhua News Agency|新华社|新華社",
        signs=r"新[华華]社[^\n]{1,20}日电",
        marks=("日电",),
    ),
    Agency(
        "Yonhap", "Yonhap|Yonhap News|YONHAP|연합뉴스", signs=r"=연합뉴스\)", marks=("연합뉴스",)
    ),
    Agency("TNS", "TNS|Tribune News Service", SYNDICATE),
    Agency(
        "The Conversation",
        "The Conversation",
        SYNDICATE,
        signs=r"republished (?:here )?from The Conversation\b",
        marks=("from The Conversation",),
    ),
    Agency("PR Newswire", "PRNewswire|PR Newswire|PRNEWSWIRE|PRNewswire-HISPANIC PR WIRE", PRESS),
    Agency("Business Wire", "BUSINESS WIRE|Business Wire|BusinessWire", PRESS),
    Agency("GlobeNewswire", "GLOBE NEWSWIRE|GlobeNewswire|Globe Newswire", PRESS),
    Agency("CNW", "CNW|CNW Group|Newswire.ca", PRESS),
    Agency("Accesswire", "ACCESSWIRE|Accesswire|ACCESS Newswire", PRESS),
    Agency("news aktuell", "ots|APA-OTS", PRESS, anywhere=False),
    Agency("EIN Presswire", "EIN Presswire|EINPresswire.com|/EINPresswire.com/", PRESS),
)
