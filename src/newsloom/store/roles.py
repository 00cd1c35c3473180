"""The roles of the store, one class per noun, each in a module that is imported when it is needed.

A role is a class of methods that use `self.database`. To add one: its class, and a row in ROLES and
in the bases that mypy sees.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# "module:class" in newsloom.store. A method is looked for in this order, and what is passed over is
# imported: what the quickest commands call comes first, and a list needs none of the others.
ROLES = (
    "users:Users",
    "half_lives:OwnHalfLives",
    "lists:Lists",
    "search:Search",
    "followed:Followed",
    "marks:Marks",
    "undoing:Undoing",
    "trained:Trained",
    "labels:Labels",
    "opened:Opened",
    "subscriptions:Subscriptions",
    "leaving:Leaving",
    "clearing:Clearing",
    "polls:Polls",
    "host_turns:HostTurns",
    "pauses:Pauses",
    "pushes:Pushes",
    "deliveries:Deliveries",
    "health:HealthOfFeeds",
    "holding:Holding",
    "redirects:Redirects",
    "icons:Icons",
    "pages:Pages",
    "robots:Robots",
    "texts:Texts",
    "judged:Judged",
    "judging:Judging",
    "taught:RatedArticles",
    "scores:Scores",
    "delays:ReadingDelays",
    "clusters:Clusters",
    "witnesses:Witnesses",
    "forgetting:Forgettings",
    "importing:Importing",
    "evaluations:Evaluations",
    "facts:Facts",
    "bridges:Bridges",
    "services:Services",
    "calls:Calls",
)

if TYPE_CHECKING:
    from newsloom.store.bridges import Bridges
    from newsloom.store.calls import Calls
    from newsloom.store.clearing import Clearing
    from newsloom.store.clusters import Clusters
    from newsloom.store.delays import ReadingDelays
    from newsloom.store.deliveries import Deliveries
    from newsloom.store.evaluations import Evaluations
    from newsloom.store.facts import Facts
    from newsloom.store.followed import Followed
    from newsloom.store.forgetting import Forgettings
    from newsloom.store.half_lives import OwnHalfLives
    from newsloom.store.health import HealthOfFeeds
    from newsloom.store.holding import Holding
    from newsloom.store.host_turns import HostTurns
    from newsloom.store.icons import Icons
    from newsloom.store.importing import Importing
    from newsloom.store.judged import Judged
    from newsloom.store.judging import Judging
    from newsloom.store.labels import Labels
    from newsloom.store.leaving import Leaving
    from newsloom.store.lists import Lists
    from newsloom.store.marks import Marks
    from newsloom.store.opened import Opened
    from newsloom.store.pages import Pages
    from newsloom.store.pauses import Pauses
    from newsloom.store.polls import Polls
    from newsloom.store.pushes import Pushes
    from newsloom.store.redirects import Redirects
    from newsloom.store.robots import Robots
    from newsloom.store.scores import Scores
    from newsloom.store.search import Search
    from newsloom.store.services import Services
    from newsloom.store.subscriptions import Subscriptions
    from newsloom.store.taught import RatedArticles
    from newsloom.store.texts import Texts
    from newsloom.store.trained import Trained
    from newsloom.store.undoing import Undoing
    from newsloom.store.users import Users
    from newsloom.store.witnesses import Witnesses

    class Roles(
        Users,
        OwnHalfLives,
        Lists,
        Search,
        Marks,
        Undoing,
        Clearing,
        Leaving,
        Followed,
        Opened,
        Subscriptions,
        Labels,
        Polls,
        HostTurns,
        Pauses,
        Pushes,
        Deliveries,
        HealthOfFeeds,
        Holding,
        Redirects,
        Icons,
        Pages,
        Robots,
        Texts,
        Judged,
        Judging,
        RatedArticles,
        Scores,
        ReadingDelays,
        Clusters,
        Witnesses,
        Forgettings,
        Importing,
        Trained,
        Evaluations,
        Facts,
        Bridges,
        Services,
        Calls,
    ):
        """Every role."""

else:

    class Roles:
        """Every role: a method that was called once is found as quickly as any other."""

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            for place in ROLES:
                module, _, role = place.partition(":")
                found = getattr(import_module(f"newsloom.store.{module}"), role)
                if hasattr(found, name):
                    setattr(Roles, name, getattr(found, name))
                    return getattr(self, name)
            raise AttributeError(f"The store has no {name}.")
