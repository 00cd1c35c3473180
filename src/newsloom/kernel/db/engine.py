"""A database: transactions, and errors told in our words; and the one of SQLite. Knows no table."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, exc
from sqlalchemy.pool import QueuePool

from newsloom.kernel.db.drivers import BUSY, LOCKED, Driver, Journal, translate
from newsloom.kernel.errors import StoreBusy, StoreError

if TYPE_CHECKING:
    from newsloom.kernel.db.listening import Listener

# How long one process waits for another's write before it says that the store is busy. The longest
# write, a first pass over a few hundred feeds, takes about a second.
PATIENCE = timedelta(seconds=10)

# Readers beside the one writer: the web server's threads are at most 40.
CONNECTIONS = 40

# Enough that the upper levels of every index of a million articles stay in memory.
CACHE_MEGABYTES = 16

# A journal that a large write made longer than this is cut again.
JOURNAL_MEGABYTES = 32

# Pages of one part when a rollback journal is copied, some 4 MB, and seconds of rest after it.
COPIED_PAGES = 1_000
COPY_REST = 0.02

_COMMITS = "PRAGMA data_version"
_STAMPS = """
    SELECT user_id, stamp, unmarked FROM reader_changes WHERE user_id IN (0, ?) ORDER BY user_id
"""

_open_files: dict[tuple[int, int], tuple[str, int]] = {}
_open_files_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Limits:
    """What one process may take of a database server."""

    connections: int = 20
    statement: timedelta = timedelta(minutes=10)  # then the server ends one that is out of hand


T = TypeVar("T")

LIMITS = Limits()


@contextmanager
def translate_errors(
    location: str, of_driver: type[Exception], translate: Callable[[BaseException], StoreError]
) -> Iterator[None]:
    """Translate every database error of a block, SQLAlchemy's and the driver's. Errors that are
    Newsloom's own pass through."""
    try:
        yield
    except exc.TimeoutError as error:
        raise StoreBusy(f"Too many requests at once for the database {location}.") from error
    except exc.DBAPIError as error:
        raise translate(error.orig or error) from error
    except of_driver as error:
        raise translate(error) from error
    except (exc.SQLAlchemyError, UnicodeEncodeError, OverflowError) as error:
        raise StoreError(f"The database {location} could not take that: {error}") from error


class Database(ABC):
    """Read and write transactions on one database, from any thread."""

    location: str  # where it is, as messages name it
    _engine: Engine
    _writer: Engine  # the same, of transactions that write
    # Translates every database error of a block; errors of Newsloom's own pass through.
    translate_errors: Callable[[], AbstractContextManager[None]]

    @cached_property
    def _caches(self) -> dict[object, Any]:
        return {}

    def cached(self, make: Callable[[Path | None], T]) -> T:
        """What `make` made of the folder beside the database, once in this process."""
        if make not in self._caches:
            self._caches.setdefault(make, make(self._beside))
        found: T = self._caches[make]
        return found

    def now(self) -> datetime:
        """The time that all processes of this database agree on; aware, UTC."""
        return datetime.now(UTC)  # noqa: TID251 - read here and in app

    @property
    def _beside(self) -> Path | None:
        """Where files may lie that are made of the database; None: in memory alone."""
        return None

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """What is read in the block is of one moment."""
        around = getattr(self._snapshots, "connection", None)
        begun = nullcontext(around) if around else self._engine.begin()
        with self.translate_errors(), begun as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that this thread reads in the block is of one moment, in one transaction. Nothing may
        be written meanwhile: it would not be seen."""
        around = getattr(self._snapshots, "connection", None)
        with self.read() as connection:
            self._snapshots.connection = connection
            try:
                yield
            finally:
                self._snapshots.connection = around

    @cached_property
    def _snapshots(self) -> threading.local:
        return threading.local()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """The block alone writes, from its start; commits on a clean exit, else nothing stays."""
        with self.translate_errors(), self._writer.begin() as connection:
            yield connection

    def claim(self) -> AbstractContextManager[Connection]:
        """As `write`, but where the database can lock single rows, others may claim as well.

        Change only rows that were chosen with `claiming(...)` and names that `lock_names` gave.
        """
        return self.write()

    @abstractmethod
    def about(self) -> Mapping[str, str]:
        """What it is and where, in words, for `doctor`; asks the database nothing."""

    @abstractmethod
    def check(self, connection: Connection, *, quick: bool = False) -> tuple[str, ...]:
        """What is damaged; nothing when it is sound. Quick: only what is found at once."""

    @abstractmethod
    def size(self) -> int:
        """Bytes on disk."""

    @abstractmethod
    def change_token(self, user: int) -> tuple[Hashable, Hashable]:
        """Another first value than before if anybody has written since what a reader's lists show,
        in this process or another; another second one if that was more than marks of their
        articles. Both may be others after other writes too."""

    def commits(self) -> Hashable:
        """Another value than before if anybody has written anything since."""
        return self.change_token(0)

    def listener(self, heard: Callable[[str], None]) -> Listener | None:  # noqa: ARG002
        """What hears of changes as they are committed; None where one can only look."""
        return None

    def sizes(self, *tables: str) -> tuple[int, ...]:
        """How many rows tables have."""
        with self.read() as connection:
            found = [
                connection.exec_driver_sql(f"SELECT COUNT(*) FROM {one}").scalar_one()  # noqa: S608
                for one in tables
            ]
        return tuple(found)

    def settle(self) -> None:
        """Do what is due after very many rows were written at once."""
        return

    def close(self) -> None:
        self._engine.dispose()


class SqliteDatabase(Database):
    """One SQLite file."""

    def __init__(self, path: Path, driver: Driver, journal: Journal, patience: timedelta) -> None:
        self.path = path
        self.location = str(path)
        self.driver = driver
        self.journal = journal
        self.translate_errors = partial(
            translate_errors, self.location, driver.module.Error, partial(translate, path=path)
        )
        self._patience = patience
        self._registered: tuple[int, int] | None = None
        self._watching_lock = threading.Lock()
        # By reader: the token, and as of how many commits.
        self._stamps: dict[int, tuple[int, tuple[Hashable, Hashable]]] = {}
        self._engine = create_engine(
            "sqlite://",
            module=driver.module,
            creator=self._connect,
            poolclass=QueuePool,
            pool_size=5,
            max_overflow=CONNECTIONS - 5,
            pool_timeout=patience.total_seconds(),
            # The last given back: what it has read of the file is still in its memory.
            pool_use_lifo=True,
            # Every transaction below is ended before its connection goes back.
            pool_reset_on_return=None,
        )
        self._writer = self._engine.execution_options(writes=True)
        event.listen(self._engine, "begin", self._begin)
        try:
            with self.translate_errors():
                self._prepare()
        except BaseException:
            self.close()
            raise

    @property
    def _beside(self) -> Path | None:
        return self.path.with_name(self.path.name + ".vectors")

    def about(self) -> Mapping[str, str]:
        return {
            "file": str(self.path),
            "size": f"{self.size() / 1e6:.1f} MB",
            "driver": self.driver.name,
            "sqlite": self.driver.version_text,
            "journal": self.journal,
        }

    def size(self) -> int:
        """The file, and its journal beside it."""
        beside = [self.path.with_name(self.path.name + end) for end in ("", "-wal", "-journal")]
        return sum(one.stat().st_size for one in beside if one.exists())

    def check(self, connection: Connection, *, quick: bool = False) -> tuple[str, ...]:
        """Quick leaves the indexes out; otherwise all of the file is read."""
        if quick:
            return _unsound(connection, "quick_check(1)")
        dangling = connection.exec_driver_sql("PRAGMA foreign_key_check")
        return (
            *_unsound(connection, "integrity_check(20)"),
            *(
                f"a row of {row[0]} refers to a row of {row[2]} that is not there"
                for row in dangling
            ),
        )

    def commits(self) -> Hashable:
        """SQLite counts, for one connection, the commits that others made."""
        with self.translate_errors(), self._watching_lock:
            (commits,) = self._watching.execute(_COMMITS).fetchone()
            return int(commits)

    @cached_property
    def _watching(self) -> Any:
        """A connection that never writes."""
        return self._connect()

    def change_token(self, user: int) -> tuple[Hashable, Hashable]:
        """The reader's stamp and everybody's: migrations/reader_changes.py has who writes them.

        Without a commit of anybody, none is read.
        """
        with self.translate_errors(), self._watching_lock:
            (commits,) = self._watching.execute(_COMMITS).fetchone()
            known = self._stamps.get(user)
            if known is None or known[0] != commits:
                # A commit in between is in the stamps, and counted the next time.
                found = self._watching.execute(_STAMPS, (user,)).fetchall()
                known = commits, (tuple(found), tuple(map(itemgetter(2), found)))
                self._stamps[user] = known
            return known[1]

    def copy_to(self, target: Path) -> None:
        """Write the database as of one moment to a new file. Others go on meanwhile.

        A write-ahead log is read at once, for that keeps nobody waiting. A rollback journal keeps
        writers waiting while it is read, so that is done in parts with a rest after each; SQLite
        begins again when somebody wrote in between.
        """
        pages = -1 if self.journal == "wal" else COPIED_PAGES
        with self._driver_connection() as source:
            copy = self.driver.module.connect(str(target))
            try:
                source.backup(copy, pages=pages, sleep=COPY_REST)
            finally:
                copy.close()

    def become(self, source: Path) -> None:
        """Replace all that is in the database by what is in another file, in one transaction.

        Raises StoreBusy when others use it for longer than this process waits.
        """
        give_up = time.monotonic() + self._patience.total_seconds()

        def wait(status: int, _remaining: int, _total: int) -> None:
            if status & 0xFF in {BUSY, LOCKED} and time.monotonic() > give_up:
                raise StoreBusy(f"The database {self.path} is in use; nothing was restored.")

        with self._driver_connection() as target:
            copy = self.driver.module.connect(str(source))
            try:
                copy.backup(target, pages=-1, progress=wait, sleep=COPY_REST)
            finally:
                copy.close()

    @contextmanager
    def _driver_connection(self) -> Iterator[Any]:
        with self.translate_errors():
            borrowed = self._engine.raw_connection()
            try:
                yield borrowed.driver_connection
            finally:
                borrowed.close()

    def close(self) -> None:
        super().close()
        with self._watching_lock:
            if watching := vars(self).pop("_watching", None):
                watching.close()
                self._stamps.clear()
        _forget(self._registered)
        self._registered = None

    def _prepare(self) -> None:
        # Before connecting, if the file is there: to open and close it through a second library
        # would already take the locks of the first.
        if self.path.exists():
            self._registered = _register(self.path, self.driver.name)
        else:
            self._make_file()
        with self._engine.connect():
            if self._registered is None:
                self._registered = _register(self.path, self.driver.name)

    def _make_file(self) -> None:
        """Empty, and private: SQLite gives the files beside it the same mode."""
        from newsloom.kernel import files

        try:
            files.private_folder(self.path.parent)
        except OSError as error:
            raise StoreError(
                f"The folder {self.path.parent} of the database cannot be made: {error.strerror}."
            ) from error
        with suppress(OSError), open(self.path, "xb", opener=files.private):
            pass

    def _connect(self) -> Any:
        connection = self.driver.module.connect(
            str(self.path),
            timeout=self._patience.total_seconds(),
            isolation_level=None,  # BEGIN is ours to say: see _begin
            check_same_thread=False,  # the pool hands a connection to one thread at a time
            cached_statements=256,
        )
        try:
            self._configure(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _configure(self, connection: Any) -> None:
        self._set_journal(connection)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA journal_size_limit = {JOURNAL_MEGABYTES * 1024 * 1024}")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute(f"PRAGMA cache_size = {-CACHE_MEGABYTES * 1024}")
        # Triggers and the view under the full-text index call it.
        connection.create_function("search_words", 1, _search_words, deterministic=True)

    def _set_journal(self, connection: Any) -> None:
        """The journal is the file's when it is a write-ahead log, else each connection's own.

        Going to or from the log needs the file alone for a moment, and SQLite does not wait for
        that by itself.
        """
        give_up = time.monotonic() + self._patience.total_seconds()
        while True:
            try:
                (mode,) = connection.execute(f"PRAGMA journal_mode = {self.journal}").fetchone()
            except self.driver.module.OperationalError as error:
                busy = getattr(error, "sqlite_errorcode", 0) & 0xFF == BUSY
                if not busy or time.monotonic() > give_up:
                    raise
            else:
                if mode == self.journal:
                    return
                raise StoreError(
                    f"The disk under {self.path} allows SQLite no {self.journal} journal, only "
                    f"{mode}. If it is a network disk, set store.path to a local one."
                )
            time.sleep(0.01)

    def _begin(self, connection: Connection) -> None:
        if not connection.get_execution_options().get("writes"):
            connection.exec_driver_sql("BEGIN")
            return
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        if self.journal != "wal":
            # A newer SQLite may have turned the file to the write-ahead log since we opened it,
            # and with ours two writers could then corrupt it.
            mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one()
            if mode == "wal":
                connection.exec_driver_sql("ROLLBACK")
                raise StoreBusy(
                    f"The database {self.path} is open elsewhere with the journal {mode}, and "
                    f"SQLite {self.driver.version_text} here must use {self.journal}; stop the "
                    "other process or run both from one installation."
                )


def _unsound(connection: Connection, check: str) -> tuple[str, ...]:
    found = connection.exec_driver_sql(f"PRAGMA {check}").scalars()
    return tuple(problem for problem in found if problem != "ok")


def _register(path: Path, driver: str) -> tuple[int, int]:
    """Refuse a second SQLite library on one file in one process.

    File locks belong to the process: when one library closes the file, the locks of the other are
    gone without its knowing.
    """
    status = path.stat()
    key = status.st_dev, status.st_ino
    with _open_files_lock:
        name, count = _open_files.get(key, (driver, 0))
        if name != driver:
            raise StoreError(f"{path} is already open in this process through {name}.")
        _open_files[key] = driver, count + 1
    return key


def _forget(key: tuple[int, int] | None) -> None:
    with _open_files_lock:
        if key is not None and key in _open_files:
            name, count = _open_files[key]
            if count == 1:
                del _open_files[key]
            else:
                _open_files[key] = name, count - 1


def _search_words(words: str) -> str:
    from newsloom.kernel.text.folding import index_text  # few commands write texts

    return index_text(words)
