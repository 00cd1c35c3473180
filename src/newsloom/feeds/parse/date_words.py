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
    "ms": "januari februari mac april mei jun julai ogos september oktober november disember",
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
    "id": "- - - - - - - agt - - - des",
    "ms": "- - - - - - - ogo - - - dis",
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

# Months in scripts of their own, of the Gregorian year: months are parted by blanks, spellings and
# abbreviations by "|". Written where no blank parts them from what is around, or with "in" before.
FOREIGN_MONTHS = (
    "يناير فبراير مارس أبريل|ابريل|إبريل مايو يونيو|يونيه يوليو|يوليه أغسطس|اغسطس سبتمبر"
    " أكتوبر|اكتوبر نوفمبر ديسمبر",
    "كانون_الثاني شباط آذار|اذار نيسان أيار|ايار حزيران تموز آب أيلول|ايلول"
    " تشرين_الأول|تشرين_الاول تشرين_الثاني كانون_الأول|كانون_الاول",
    "جانفي فيفري مارس أفريل|افريل ماي جوان جويلية غشت|أوت شتنبر أكتوبر نونبر دجنبر",
    "ژانویه فوریه مارس آوریل|آپریل مه|می ژوئن|جون ژوئیه|ژوییه|جولای اوت|آگوست|اوت سپتامبر اکتبر"
    " نوامبر دسامبر",
    "ינואר|ינו פברואר|פבר מרץ|מרס אפריל|אפר מאי יוני|יונ יולי|יול אוגוסט|אוג ספטמבר|ספט"
    " אוקטובר|אוק נובמבר|נוב דצמבר|דצמ",
    "जनवरी|जन॰|जन फ़रवरी|फरवरी|फ़र॰|फ़र मार्च अप्रैल मई जून जुलाई|जुल॰ अगस्त|अग॰"
    " सितंबर|सितम्बर|सित॰|सित अक्टूबर|अक्तूबर|अक्टू॰|अक्टू नवंबर|नवम्बर|नव॰|नव"
    " दिसंबर|दिसम्बर|दिस॰|दिस",
    "มกราคม|ม.ค. กุมภาพันธ์|ก.พ. มีนาคม|มี.ค. เมษายน|เม.ย. พฤษภาคม|พ.ค. มิถุนายน|มิ.ย."
    " กรกฎาคม|ก.ค. สิงหาคม|ส.ค. กันยายน|ก.ย. ตุลาคม|ต.ค. พฤศจิกายน|พ.ย. ธันวาคม|ธ.ค.",
    "tháng_giêng|tháng_một tháng_hai tháng_ba tháng_tư|tháng_bốn tháng_năm tháng_sáu tháng_bảy"
    " tháng_tám tháng_chín tháng_mười tháng_mười_một tháng_chạp|tháng_mười_hai",
)
# The same of other calendars, from their first month on.
PERSIAN_MONTHS = (
    "فروردین اردیبهشت خرداد تیر مرداد|امرداد شهریور مهر آبان آذر دی بهمن اسفند",
    "حمل ثور جوزا سرطان اسد سنبله میزان عقرب قوس جدی دلو حوت",
)
ISLAMIC_MONTHS = (
    "محرم صفر ربيع_الأول|ربیع_الاول|ربيع_الاول ربيع_الثاني|ربيع_الآخر|ربیع_الثانی"
    " جمادى_الأولى|جمادى_الاولى|جمادی_الاول جمادى_الآخرة|جمادى_الثانية|جمادی_الثانی رجب شعبان"
    " رمضان شوال ذو_القعدة|ذي_القعدة ذو_الحجة|ذي_الحجة",
)
HEBREW_MONTHS = (
    "תשרי חשוון|חשון|מרחשוון כסלו|כסליו טבת שבט אדר|אדר_א אדר_ב ניסן אייר|אִיָּר סיוון|סיון תמוז"
    " אב|מנחם_אב אלול",
)
HALVES = {
    "am": 'ص|صباحا|صباحًا|ق.ظ|قبل‌ازظهر|לפנה״צ|לפנה"צ|पूर्वाह्न|ก่อนเที่ยง|오전|上午|午前|凌晨|早上',
    "pm": 'م|مساء|مساءً|ب.ظ|بعدازظهر|אחה״צ|אחה"צ|अपराह्न|หลังเที่ยง|오후|下午|午後|晚上|中午|CH',
}
# The first year of what years are counted from.
ERAS = {"令和": 2019, "平成": 1989, "昭和": 1926, "民國": 1912, "民国": 1912}
# What a word is not, if a date with slashes is American: 03/11/2026 is of November elsewhere.
ENGLISH = frozenset({"mon", "tue", "wed", "thu", "fri", "sat", "sun", "at", "on", "am", "pm"})

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
