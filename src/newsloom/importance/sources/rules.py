"""Rules for domains that say who is behind them. One tuple; the first that matches holds.

A rule names endings that nobody can register who is not one of those. "uni-*.de" is no rule, for
anybody can register uni-example.de: such domains are named one by one.
"""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.importance.sources.naming import host_of
from newsloom.importance.values import SourceKind


@dataclass(frozen=True, slots=True)
class Rule:
    """A host matches that is one of the endings or ends with a dot and one."""

    name: str
    tier: int
    kind: SourceKind
    reason: str
    endings: frozenset[str]


def _under(label: str, countries: str) -> set[str]:
    return {f"{label}.{one}" for one in countries.split()}


def _listed(domains: str) -> frozenset[str]:
    return frozenset(domains.split())


# Of the public suffix list: what governments keep for themselves. "go.it" is Gorizia's.
GOVERNMENTS = frozenset(
    set()
    | _under(
        "gov",
        "ac ae af al ao ar as au az ba bb bd bf bh bm bn br bs bt bw by bz cd cl cm cn co "
        "cx cy cz dm do dz ec ee eg et fj gd ge gh gi gn gr gu gy hk ie il in io iq ir it "
        "jo kg kh ki km kn kp kw kz la lb lc lk lr ls lt lv ly ma me mg mk ml mn mo mr ms "
        "mu mv mw my mz na ng nr om ph pk pl pn pr ps pt pw py qa rs rw sa sb sc sd sg sh "
        "sl so ss sx sy tj tl tm tn to tr tt tw ua ug uk vc ve vn ws ye za zm zw ",
    )
    | _under("gob", "ar bo cl cu do ec es gt hn mx ni pa pe pk sv ve ")
    | _under("gouv", "ci fr ht km ml sn ")
    | _under("govt", "nz ")
    | _under("gub", "uy ")
    | _under("go", "ci cr id jp ke kr th tj tz ug ")
    | _under("gv", "ao at ")
    | _under(
        "mil",
        "ac ae al ar az ba bd bo br by cl cn co cy do ec eg fj gh gt hn id in io iq jo kg "
        "km kr kz lv mg mv my mz ng ni no nz pe ph pl py qa rw sh st sy tj tm to tr tt tw "
        "tz ug uy vc ve ye za zm zw ",
    )
)

# The same of universities and colleges.
UNIVERSITIES = frozenset(
    set()
    | _under(
        "edu",
        "ac af al ao ar au az ba bb bd bh bi bj bm bn bo br bs bt bz ci cn co cu cv cw dm "
        "do dz ec ee eg es et fj fm gd ge gh gi gl gn gp gr gt gu gy hk hn ht in io iq it "
        "jo kg kh ki km kn kp kw ky kz la lb lc lk lr ls lv ly me mg mk ml mn mo ms mt mv "
        "mw mx my mz ng ni nr om pa pe pf ph pk pl pn pr ps pt py qa rs sa sb sc sd sg sl "
        "sn so ss st sv sy tj tm to tr tt tw ua ug uy vc ve vg vn vu ws ye za zm ",
    )
    | _under(
        "ac",
        "ae at bd be bw ci cn cr cy eg fj gn id il im in ir jp ke kr lk ls ma me ml mu mw "
        "mz ni nz pa pk pr rs rw se sz th tz ug uk vn za zm zw ",
    )
)

_OFFICIAL = _listed(
    "gov mil admin.ch bund.de bundesregierung.de bundestag.de europa.eu gc.ca canada.ca"
    " government.nl rijksoverheid.nl overheid.nl belgium.be government.se regeringen.se"
    " riksdagen.se regjeringen.no stortinget.no valtioneuvosto.fi eduskunta.fi parliament.uk"
    " police.uk nhs.uk mod.uk elysee.fr senat.fr assemblee-nationale.fr governo.it parlamento.it"
    " esteri.it gov.scot gov.wales lamoncloa.es parliament.nz parl.ca quebec.ca ontario.ca"
    " leg.br jus.br folketinget.dk stm.dk um.dk bundesbank.de bankofengland.co.uk snb.ch"
    " federalreserve.gov parlament.gv.at parlament.ch"
)
_INTERNATIONAL = _listed(
    "int un.org unesco.org unicef.org unhcr.org undp.org worldbank.org imf.org wto.org oecd.org"
    " icrc.org iaea.org opec.org osce.org bis.org icj-cij.org interpol.int africa-union.org au.int"
    " asean.org oas.org adb.org ebrd.com iea.org cern.ch home.cern esa.int"
)
_STANDARDS = _listed(
    "ietf.org rfc-editor.org iana.org w3.org whatwg.org iso.org iec.ch unicode.org"
    " ecma-international.org"
    " tc39.es etsi.org oasis-open.org standards.ieee.org 3gpp.org khronos.org bipm.org"
    " iab.org icann.org opengroup.org"
)
_ACADEMIC = _listed(
    "edu"
    # Germany, Austria, Switzerland
    " uni-heidelberg.de uni-muenchen.de lmu.de tum.de uni-freiburg.de uni-tuebingen.de uni-bonn.de"
    " uni-koeln.de uni-hamburg.de uni-goettingen.de uni-mannheim.de uni-leipzig.de uni-jena.de"
    " uni-wuerzburg.de uni-mainz.de uni-frankfurt.de uni-marburg.de uni-muenster.de uni-kiel.de"
    " uni-stuttgart.de uni-ulm.de uni-konstanz.de uni-bremen.de uni-rostock.de uni-halle.de"
    " uni-potsdam.de uni-saarland.de uni-bielefeld.de uni-due.de uni-hannover.de uni-regensburg.de"
    " uni-bayreuth.de uni-augsburg.de uni-passau.de uni-bamberg.de uni-erlangen.de fau.de"
    " tu-berlin.de tu-dresden.de tu-darmstadt.de tu-braunschweig.de tu-dortmund.de tu-chemnitz.de"
    " hu-berlin.de fu-berlin.de rwth-aachen.de kit.edu ruhr-uni-bochum.de hhu.de"
    " mpg.de fraunhofer.de helmholtz.de leibniz-gemeinschaft.de"
    " ethz.ch epfl.ch uzh.ch unibe.ch unibas.ch unige.ch unil.ch"
    # elsewhere, where no ending is kept for them
    " kuleuven.be ugent.be uva.nl vu.nl tudelft.nl uu.nl leidenuniv.nl universiteitleiden.nl rug.nl"
    " ku.dk au.dk dtu.dk uio.no uib.no ntnu.no lu.se uu.se kth.se su.se chalmers.se ki.se gu.se"
    " helsinki.fi aalto.fi unibo.it polimi.it uniroma1.it unipd.it sns.it cnrs.fr inria.fr"
    " pasteur.fr ens.fr polytechnique.edu sorbonne-universite.fr sciencespo.fr ub.edu uab.cat"
    " upc.edu"
    " uam.es ucm.es csic.es utoronto.ca mcgill.ca ubc.ca umontreal.ca uwaterloo.ca ualberta.ca"
    " usp.br unicamp.br ufrj.br unam.mx tcd.ie ucd.ie cuni.cz muni.cz uw.edu.pl msu.ru"
)
_WIRES = _listed(
    "reuters.com apnews.com ap.org afp.com dpa.com dpa-international.com ansa.it efe.com"
    " kyodonews.net"
    " jiji.com pa.media belganewsagency.eu belga.be apa.at keystone-sda.ch yna.co.kr tt.se ntb.no"
    " ritzau.dk ritzau.com stt.fi anp.nl aap.com.au aapnews.com.au thecanadianpress.com ptinews.com"
    " lusa.pt upi.com pap.pl ctk.cz agerpres.ro ukrinform.net europapress.es"
)
# Sent for a fee: the sender's own words.
_RELEASES = _listed(
    "prnewswire.com prnewswire.co.uk businesswire.com globenewswire.com newswire.ca accesswire.com"
    " accessnewswire.com einpresswire.com einnews.com prweb.com presseportal.de prlog.org"
    " openpr.com openpr.de newswire.com"
)

RULES = (
    Rule(
        "wire",
        1,
        SourceKind.WIRE,
        "News agency: supplies other newsrooms and has a corrections policy.",
        _WIRES,
    ),
    Rule(
        "government",
        1,
        SourceKind.GOVERNMENT,
        "Government or parliament: official statements of that state.",
        _OFFICIAL | GOVERNMENTS,
    ),
    Rule(
        "international",
        1,
        SourceKind.ORGANISATION,
        "International organisation, founded by treaty or part of the United Nations.",
        _INTERNATIONAL,
    ),
    Rule(
        "standards",
        1,
        SourceKind.STANDARDS,
        "Standards body: publishes the standards themselves.",
        _STANDARDS,
    ),
    Rule(
        "academic",
        2,
        SourceKind.ACADEMIC,
        "University or public research institute; members may publish there too.",
        _ACADEMIC | UNIVERSITIES,
    ),
    Rule(
        "press releases",
        4,
        SourceKind.COMPANY,
        "Distributes press releases for a fee.",
        _RELEASES,
    ),
)


def rule_of(domain: str) -> Rule | None:
    """The first rule that a host matches; None when none does."""
    labels = host_of(domain).split(".")
    endings = [".".join(labels[place:]) for place in range(len(labels))]
    return next((rule for rule in RULES if not rule.endings.isdisjoint(endings)), None)
