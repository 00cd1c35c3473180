"""Names that stand in dates: months in the languages of feeds, zones, halves of the day. Data only.

Month names come from the Unicode CLDR, whole and as abbreviated there; a name that is a different
month in two languages is left out of the later one.
"""

from __future__ import annotations

_NAMES = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "at": "jänner feber - - - - - - - - - -",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
    "dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "fi": "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta "
    "syyskuuta lokakuuta marraskuuta joulukuuta",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października "
    "listopada grudnia",
    "cs": "ledna února března dubna května června července srpna září října listopadu prosince",
    "hu": "január február március április május június július augusztus szeptember október "
    "november december",
    "ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie "
    "decembrie",
    "tr": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "uk": "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "el": "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου "
    "οκτωβρίου νοεμβρίου δεκεμβρίου",
    "id": "januari februari maret april mei juni juli agustus september oktober november desember",
}
_SHORT = {
    "en": "jan feb mar apr may jun jul aug sep oct nov dec",
    "en4": "- - - - - june july - sept - - -",
    "de": "jan feb mär apr mai jun jul aug sep okt nov dez",
    "fr": "janv févr - avr - - juil aoû - - - déc",
    "es": "ene feb mar abr may jun jul ago sep oct nov dic",
    "it": "gen feb mar apr mag giu lug ago set ott nov dic",
    "pt": "jan fev mar abr mai jun jul ago set out nov dez",
    "nl": "jan feb mrt apr mei jun jul aug sep okt nov dec",
    "pl": "sty lut - kwi maj cze lip sie wrz paź lis gru",
    "cs": "led úno bře dub kvě čvn čvc srp zář říj - pro",
    "ru": "янв фев мар апр май июн июл авг сен окт ноя дек",
    "uk": "січ лют бер кві тра чер лип сер вер жов лис гру",
    "el": "ιαν φεβ μαρ απρ μαϊ ιουν ιουλ αυγ σεπ οκτ νοε δεκ",
    "tr": "oca şub - nis - haz tem ağu eyl eki kas ara",
}

# Marks that writers leave out: fevrier, marz, agustos.
MARKS = str.maketrans(
    "áàâäãåçčćéèêëěíìîïıñóòôöõřšşśúùûüůýžźżάέήίόύώϊΐ",
    "aaaaaaccceeeeeiiiiinooooorsssuuuuuyzzzαεηιουωιι",
)


def _months() -> dict[str, int]:
    known: dict[str, int] = {}
    for names in (*_NAMES.values(), *_SHORT.values()):
        for month, name in enumerate(names.split(), start=1):
            if name != "-":
                for spelling in (name.casefold(), name.casefold().translate(MARKS)):
                    known.setdefault(spelling, month)
    return known


MONTHS = _months()

PM = frozenset({"pm", "오후", "下午", "午後", "μμ"})

# Hours east of Greenwich. Where a name means several zones, the one that feeds mean: American for
# EST and CST as RFC 822 says, British for BST, Indian for IST.
ZONES: dict[str, float] = {
    "UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "WET": 0,
    "AST": -4, "ADT": -3, "AT": -4, "EST": -5, "EDT": -4, "ET": -5, "CST": -6, "CDT": -5, "CT": -6,
    "MST": -7, "MDT": -6, "MT": -7, "PST": -8, "PDT": -7, "PT": -8, "AKST": -9, "AKDT": -8,
    "HST": -10, "NST": -3.5, "NDT": -2.5, "BRT": -3, "BRST": -2, "ART": -3, "CLT": -4,
    "BST": 1, "WEST": 1, "CET": 1, "CEST": 2, "MET": 1, "MEST": 2, "MEZ": 1, "MESZ": 2,
    "EET": 2, "EEST": 3, "SAST": 2, "MSK": 3, "MSD": 4, "TRT": 3, "IRST": 3.5, "GST": 4, "PKT": 5,
    "IST": 5.5, "NPT": 5.75, "WIB": 7, "ICT": 7, "SGT": 8, "HKT": 8, "PHT": 8, "AWST": 8,
    "JST": 9, "KST": 9, "ACST": 9.5, "ACDT": 10.5, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
}  # fmt: skip
