-- The schema that the first release with PostgreSQL made; later steps start from it.

CREATE TABLE dedup_keys (
    key BIGINT NOT NULL,
    article_id BIGINT NOT NULL,
    CONSTRAINT pk_dedup_keys PRIMARY KEY (key, article_id)
);

CREATE TABLE fresh_keys (
    key BIGINT NOT NULL,
    article_id BIGINT NOT NULL,
    CONSTRAINT pk_fresh_keys PRIMARY KEY (key, article_id)
);

CREATE TABLE redirects (
    url TEXT COLLATE "C" NOT NULL,
    target TEXT COLLATE "C" DEFAULT '' NOT NULL,
    at BIGINT NOT NULL,
    tries INTEGER DEFAULT '0' NOT NULL,
    problem TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_redirects PRIMARY KEY (url)
);

CREATE TABLE feeds (
    id BIGSERIAL NOT NULL,
    url TEXT COLLATE "C" NOT NULL,
    host TEXT COLLATE "C" DEFAULT '' NOT NULL,
    title TEXT COLLATE "C" DEFAULT '' NOT NULL,
    site_url TEXT COLLATE "C" DEFAULT '' NOT NULL,
    description TEXT COLLATE "C" DEFAULT '' NOT NULL,
    language TEXT COLLATE "C" DEFAULT '' NOT NULL,
    format TEXT COLLATE "C" DEFAULT '' NOT NULL,
    image TEXT COLLATE "C" DEFAULT '' NOT NULL,
    etag TEXT COLLATE "C" DEFAULT '' NOT NULL,
    last_modified TEXT COLLATE "C" DEFAULT '' NOT NULL,
    validated_url TEXT COLLATE "C" DEFAULT '' NOT NULL,
    body_hash TEXT COLLATE "C" DEFAULT '' NOT NULL,
    hints JSON,
    pace JSON,
    interval BIGINT NOT NULL,
    floor BIGINT,
    next_poll_at BIGINT,
    not_before BIGINT,
    polled_at BIGINT,
    ok_at BIGINT,
    changed_at BIGINT,
    status INTEGER DEFAULT '0' NOT NULL,
    failures INTEGER DEFAULT '0' NOT NULL,
    unreadable INTEGER DEFAULT '0' NOT NULL,
    unchanged INTEGER DEFAULT '0' NOT NULL,
    newsy INTEGER DEFAULT '0' NOT NULL,
    damaged INTEGER DEFAULT '0' NOT NULL,
    damage TEXT COLLATE "C" DEFAULT '' NOT NULL,
    problem TEXT COLLATE "C" DEFAULT '' NOT NULL,
    asked_under TEXT COLLATE "C" DEFAULT '' NOT NULL,
    state TEXT COLLATE "C" DEFAULT 'healthy' NOT NULL,
    state_at BIGINT,
    state_seen_at BIGINT,
    dead BOOLEAN DEFAULT false NOT NULL,
    moved_to TEXT COLLATE "C" DEFAULT '' NOT NULL,
    moved_at BIGINT,
    moved_times INTEGER DEFAULT '0' NOT NULL,
    declined TEXT COLLATE "C" DEFAULT '' NOT NULL,
    face JSON,
    held_at BIGINT,
    held_because TEXT COLLATE "C" DEFAULT '' NOT NULL,
    full_text BOOLEAN DEFAULT false NOT NULL,
    lease_owner TEXT COLLATE "C",
    lease_token TEXT COLLATE "C",
    lease_until BIGINT,
    CONSTRAINT pk_feeds PRIMARY KEY (id),
    CONSTRAINT uq_feeds_url UNIQUE (url)
);

CREATE INDEX ix_feeds_next_poll_at ON feeds (next_poll_at);

CREATE INDEX ix_feeds_leased ON feeds (lease_owner) WHERE lease_owner IS NOT NULL;

CREATE INDEX ix_feeds_host_next_poll_at ON feeds (host, next_poll_at);

CREATE TABLE pauses (
    host TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    until BIGINT NOT NULL,
    because TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_pauses PRIMARY KEY (host)
);

CREATE TABLE host_turns (
    host TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C",
    until BIGINT,
    asked_at BIGINT,
    wanted_by TEXT COLLATE "C",
    wanted_until BIGINT,
    CONSTRAINT pk_host_turns PRIMARY KEY (host)
);

CREATE TABLE icons (
    site TEXT COLLATE "C" NOT NULL,
    url TEXT COLLATE "C" DEFAULT '' NOT NULL,
    at BIGINT NOT NULL,
    etag TEXT COLLATE "C" DEFAULT '' NOT NULL,
    last_modified TEXT COLLATE "C" DEFAULT '' NOT NULL,
    validated_url TEXT COLLATE "C" DEFAULT '' NOT NULL,
    type TEXT COLLATE "C" DEFAULT '' NOT NULL,
    tag TEXT COLLATE "C" DEFAULT '' NOT NULL,
    problem TEXT COLLATE "C" DEFAULT '' NOT NULL,
    tries INTEGER DEFAULT '0' NOT NULL,
    body BYTEA,
    CONSTRAINT pk_icons PRIMARY KEY (site)
);

CREATE TABLE robots (
    site TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    status INTEGER DEFAULT '0' NOT NULL,
    page_at BIGINT,
    body TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_robots PRIMARY KEY (site)
);

CREATE TABLE work_batches (
    id BIGSERIAL NOT NULL,
    stage TEXT COLLATE "C" NOT NULL,
    scope BIGINT NOT NULL,
    low BIGINT NOT NULL,
    low_id BIGINT NOT NULL,
    high BIGINT NOT NULL,
    high_id BIGINT NOT NULL,
    size INTEGER NOT NULL,
    token TEXT COLLATE "C" DEFAULT '' NOT NULL,
    owner TEXT COLLATE "C" DEFAULT '' NOT NULL,
    until BIGINT NOT NULL,
    attempts INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT pk_work_batches PRIMARY KEY (id)
);

CREATE INDEX ix_work_batches_stage_scope ON work_batches (stage, scope);

CREATE TABLE work_failures (
    stage TEXT COLLATE "C" NOT NULL,
    scope BIGINT NOT NULL,
    article_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    version TEXT COLLATE "C" NOT NULL,
    attempts INTEGER NOT NULL,
    error TEXT COLLATE "C" NOT NULL,
    retry_at BIGINT NOT NULL,
    CONSTRAINT pk_work_failures PRIMARY KEY (stage, scope, article_id)
);

CREATE TABLE users (
    id BIGSERIAL NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    made_at BIGINT NOT NULL,
    taste INTEGER DEFAULT '0' NOT NULL,
    half_lives JSON,
    trained_at BIGINT,
    trained_words TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_users PRIMARY KEY (id),
    CONSTRAINT uq_users_name UNIQUE (name)
);

CREATE TABLE makers (
    id BIGSERIAL NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    CONSTRAINT pk_makers PRIMARY KEY (id),
    CONSTRAINT uq_makers_name UNIQUE (name)
);

CREATE TABLE services (
    name TEXT COLLATE "C" NOT NULL,
    ok_at BIGINT,
    failed_at BIGINT,
    failures INTEGER DEFAULT '0' NOT NULL,
    open_until BIGINT,
    problem TEXT COLLATE "C" DEFAULT '' NOT NULL,
    day INTEGER DEFAULT '0' NOT NULL,
    tokens BIGINT DEFAULT '0' NOT NULL,
    CONSTRAINT pk_services PRIMARY KEY (name)
);

CREATE TABLE spending (
    service TEXT COLLATE "C" NOT NULL,
    purpose TEXT COLLATE "C" NOT NULL,
    day INTEGER NOT NULL,
    tokens BIGINT NOT NULL,
    CONSTRAINT pk_spending PRIMARY KEY (service, purpose)
);

CREATE TABLE model_calls (
    id BIGSERIAL NOT NULL,
    service TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    purpose TEXT COLLATE "C" NOT NULL,
    prompt_version TEXT COLLATE "C" DEFAULT '' NOT NULL,
    maker TEXT COLLATE "C" NOT NULL,
    subject_kind TEXT COLLATE "C" DEFAULT '' NOT NULL,
    subject_id TEXT COLLATE "C" DEFAULT '' NOT NULL,
    question_hash TEXT COLLATE "C" DEFAULT '' NOT NULL,
    tokens_in INTEGER DEFAULT '0' NOT NULL,
    tokens_out INTEGER DEFAULT '0' NOT NULL,
    seconds FLOAT NOT NULL,
    verdict TEXT COLLATE "C" NOT NULL,
    answer TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_model_calls PRIMARY KEY (id)
);

CREATE INDEX ix_model_calls_question_hash ON model_calls (question_hash);

CREATE TABLE bridge_accounts (
    id BIGSERIAL NOT NULL,
    bridge TEXT COLLATE "C" NOT NULL,
    remote TEXT COLLATE "C" NOT NULL,
    user_id BIGINT NOT NULL,
    cursor TEXT COLLATE "C" DEFAULT '' NOT NULL,
    synced_at BIGINT,
    failures INTEGER DEFAULT '0' NOT NULL,
    next_try_at BIGINT,
    problem TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_bridge_accounts PRIMARY KEY (id),
    CONSTRAINT uq_bridge_accounts_bridge_remote UNIQUE (bridge, remote),
    CONSTRAINT fk_bridge_accounts_user_id FOREIGN KEY(user_id) REFERENCES users (id)
);

CREATE TABLE pushes (
    feed_id BIGINT NOT NULL,
    token TEXT COLLATE "C" NOT NULL,
    secret TEXT COLLATE "C" DEFAULT '' NOT NULL,
    base TEXT COLLATE "C" DEFAULT '' NOT NULL,
    hub TEXT COLLATE "C" DEFAULT '' NOT NULL,
    topic TEXT COLLATE "C" DEFAULT '' NOT NULL,
    state TEXT COLLATE "C" DEFAULT '' NOT NULL,
    asked_at BIGINT,
    active_at BIGINT,
    until BIGINT,
    next_at BIGINT,
    pushed_at BIGINT,
    missed_at BIGINT,
    tries INTEGER DEFAULT '0' NOT NULL,
    received INTEGER DEFAULT '0' NOT NULL,
    ignored INTEGER DEFAULT '0' NOT NULL,
    refused INTEGER DEFAULT '0' NOT NULL,
    hour_at BIGINT,
    in_hour INTEGER DEFAULT '0' NOT NULL,
    problem TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_pushes PRIMARY KEY (feed_id),
    CONSTRAINT fk_pushes_feed_id FOREIGN KEY(feed_id) REFERENCES feeds (id),
    CONSTRAINT uq_pushes_token UNIQUE (token)
);

CREATE INDEX ix_pushes_next_at ON pushes (next_at);

CREATE TABLE deliveries (
    id BIGSERIAL NOT NULL,
    feed_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    content_type TEXT COLLATE "C" DEFAULT '' NOT NULL,
    digest TEXT COLLATE "C" DEFAULT '' NOT NULL,
    body BYTEA NOT NULL,
    CONSTRAINT pk_deliveries PRIMARY KEY (id),
    CONSTRAINT fk_deliveries_feed_id FOREIGN KEY(feed_id) REFERENCES feeds (id)
);

CREATE INDEX ix_deliveries_feed_id ON deliveries (feed_id);

CREATE TABLE polls (
    id BIGSERIAL NOT NULL,
    feed_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL,
    status INTEGER DEFAULT '0' NOT NULL,
    seconds FLOAT NOT NULL,
    wire_bytes INTEGER DEFAULT '0' NOT NULL,
    articles INTEGER DEFAULT '0' NOT NULL,
    misdated INTEGER DEFAULT '0' NOT NULL,
    "new" INTEGER DEFAULT '0' NOT NULL,
    revised INTEGER DEFAULT '0' NOT NULL,
    duplicates INTEGER DEFAULT '0' NOT NULL,
    problem TEXT COLLATE "C" DEFAULT '' NOT NULL,
    next_poll_at BIGINT,
    reason TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_polls PRIMARY KEY (id),
    CONSTRAINT fk_polls_feed_id FOREIGN KEY(feed_id) REFERENCES feeds (id)
);

CREATE INDEX ix_polls_feed_id_id ON polls (feed_id, id);

CREATE TABLE moves (
    id BIGSERIAL NOT NULL,
    feed_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    from_url TEXT COLLATE "C" DEFAULT '' NOT NULL,
    to_url TEXT COLLATE "C" DEFAULT '' NOT NULL,
    because TEXT COLLATE "C" DEFAULT '' NOT NULL,
    merged_id BIGINT,
    followers JSON,
    joined JSON,
    seen_at BIGINT,
    undone_at BIGINT,
    CONSTRAINT pk_moves PRIMARY KEY (id),
    CONSTRAINT fk_moves_feed_id FOREIGN KEY(feed_id) REFERENCES feeds (id)
);

CREATE INDEX ix_moves_feed_id_id ON moves (feed_id, id);

CREATE TABLE verdicts (
    id BIGSERIAL NOT NULL,
    feed_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    same BOOLEAN NOT NULL,
    before JSON,
    articles JSON,
    undone_at BIGINT,
    CONSTRAINT pk_verdicts PRIMARY KEY (id),
    CONSTRAINT fk_verdicts_feed_id FOREIGN KEY(feed_id) REFERENCES feeds (id)
);

CREATE INDEX ix_verdicts_feed_id_id ON verdicts (feed_id, id);

CREATE TABLE holds (
    feed_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    url TEXT COLLATE "C" DEFAULT '' NOT NULL,
    content_type TEXT COLLATE "C" DEFAULT '' NOT NULL,
    body BYTEA NOT NULL,
    CONSTRAINT pk_holds PRIMARY KEY (feed_id, at),
    CONSTRAINT fk_holds_feed_id FOREIGN KEY(feed_id) REFERENCES feeds (id)
);

CREATE TABLE subscriptions (
    user_id BIGINT NOT NULL,
    feed_id BIGINT NOT NULL,
    title TEXT COLLATE "C" DEFAULT '' NOT NULL,
    category TEXT COLLATE "C" DEFAULT '' NOT NULL,
    since BIGINT NOT NULL,
    CONSTRAINT pk_subscriptions PRIMARY KEY (user_id, feed_id),
    CONSTRAINT fk_subscriptions_user_id FOREIGN KEY(user_id) REFERENCES users (id),
    CONSTRAINT fk_subscriptions_feed_id FOREIGN KEY(feed_id) REFERENCES feeds (id)
);

CREATE INDEX ix_subscriptions_feed_id ON subscriptions (feed_id);

CREATE TABLE left_feeds (
    user_id BIGINT NOT NULL,
    feed_id BIGINT NOT NULL,
    title TEXT COLLATE "C" DEFAULT '' NOT NULL,
    category TEXT COLLATE "C" DEFAULT '' NOT NULL,
    since BIGINT NOT NULL,
    left_at BIGINT NOT NULL,
    newest_id BIGINT NOT NULL,
    CONSTRAINT pk_left_feeds PRIMARY KEY (user_id, feed_id),
    CONSTRAINT fk_left_feeds_user_id FOREIGN KEY(user_id) REFERENCES users (id),
    CONSTRAINT fk_left_feeds_feed_id FOREIGN KEY(feed_id) REFERENCES feeds (id)
);

CREATE TABLE articles (
    id BIGSERIAL NOT NULL,
    feed_id BIGINT NOT NULL,
    original_id BIGINT NOT NULL,
    fullest_id BIGINT NOT NULL,
    guid TEXT COLLATE "C" DEFAULT '' NOT NULL,
    url TEXT COLLATE "C" DEFAULT '' NOT NULL,
    canonical_url TEXT COLLATE "C" DEFAULT '' NOT NULL,
    source TEXT COLLATE "C" DEFAULT '' NOT NULL,
    title TEXT COLLATE "C" DEFAULT '' NOT NULL,
    author TEXT COLLATE "C" DEFAULT '' NOT NULL,
    language TEXT COLLATE "C" DEFAULT '' NOT NULL,
    published_at BIGINT,
    updated_at BIGINT,
    first_seen_at BIGINT NOT NULL,
    dated_at BIGINT NOT NULL,
    version_at BIGINT NOT NULL,
    content_hash TEXT COLLATE "C" DEFAULT '' NOT NULL,
    length INTEGER DEFAULT '0' NOT NULL,
    image TEXT COLLATE "C" DEFAULT '' NOT NULL,
    comments_url TEXT COLLATE "C" DEFAULT '' NOT NULL,
    categories JSON,
    enclosures JSON,
    summary TEXT COLLATE "C" DEFAULT '' NOT NULL,
    content TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_articles PRIMARY KEY (id),
    CONSTRAINT fk_articles_feed_id FOREIGN KEY(feed_id) REFERENCES feeds (id),
    CONSTRAINT fk_articles_original_id FOREIGN KEY(original_id) REFERENCES articles (id),
    CONSTRAINT fk_articles_fullest_id FOREIGN KEY(fullest_id) REFERENCES articles (id)
);

CREATE INDEX ix_articles_original_id_feed_id ON articles (original_id, feed_id);

CREATE INDEX ix_articles_feed_id_dated_at_original_id ON articles (feed_id, dated_at, original_id);

CREATE INDEX ix_articles_source ON articles (source, original_id) WHERE source <> '';

CREATE INDEX ix_articles_duplicates ON articles (feed_id, original_id) WHERE original_id <> id;

CREATE INDEX ix_articles_author ON articles (author, original_id) WHERE author <> '';

CREATE TABLE interests (
    id BIGSERIAL NOT NULL,
    user_id BIGINT NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    added_at BIGINT NOT NULL,
    CONSTRAINT pk_interests PRIMARY KEY (id),
    CONSTRAINT fk_interests_user_id FOREIGN KEY(user_id) REFERENCES users (id)
);

CREATE INDEX ix_interests_user_id ON interests (user_id);

CREATE TABLE models (
    id BIGSERIAL NOT NULL,
    user_id BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    model_id TEXT COLLATE "C" NOT NULL,
    sha256 TEXT COLLATE "C" NOT NULL,
    trained_at BIGINT NOT NULL,
    metrics JSON,
    active BOOLEAN DEFAULT false NOT NULL,
    payload BYTEA NOT NULL,
    trainer TEXT COLLATE "C" DEFAULT 'head' NOT NULL,
    verdict TEXT COLLATE "C" DEFAULT '' NOT NULL,
    promoted_at BIGINT,
    withdrawn_at BIGINT,
    made_of TEXT COLLATE "C" DEFAULT '' NOT NULL,
    judge BYTEA,
    judge_sha256 TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_models PRIMARY KEY (id),
    CONSTRAINT fk_models_user_id FOREIGN KEY(user_id) REFERENCES users (id)
);

CREATE INDEX ix_models_user_id_kind_id ON models (user_id, kind, id);

CREATE UNIQUE INDEX ix_models_in_force ON models (user_id, kind) WHERE active = TRUE;

CREATE TABLE forgettings (
    id BIGSERIAL NOT NULL,
    user_id BIGINT NOT NULL,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    at BIGINT NOT NULL,
    lifted_at BIGINT,
    CONSTRAINT pk_forgettings PRIMARY KEY (id),
    CONSTRAINT fk_forgettings_user_id FOREIGN KEY(user_id) REFERENCES users (id)
);

CREATE INDEX ix_forgettings_user_id ON forgettings (user_id);

CREATE TABLE evaluations (
    id BIGSERIAL NOT NULL,
    user_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    model_id TEXT COLLATE "C" NOT NULL,
    protocol TEXT COLLATE "C" NOT NULL,
    report JSON NOT NULL,
    CONSTRAINT pk_evaluations PRIMARY KEY (id),
    CONSTRAINT fk_evaluations_user_id FOREIGN KEY(user_id) REFERENCES users (id)
);

CREATE INDEX ix_evaluations_user_id_id ON evaluations (user_id, id);

CREATE TABLE bridge_feeds (
    account_id BIGINT NOT NULL,
    remote TEXT COLLATE "C" NOT NULL,
    feed_id BIGINT NOT NULL,
    CONSTRAINT pk_bridge_feeds PRIMARY KEY (account_id, remote),
    CONSTRAINT fk_bridge_feeds_account_id FOREIGN KEY(account_id) REFERENCES bridge_accounts (id),
    CONSTRAINT fk_bridge_feeds_feed_id FOREIGN KEY(feed_id) REFERENCES feeds (id)
);

CREATE INDEX ix_bridge_feeds_feed_id ON bridge_feeds (feed_id);

CREATE TABLE bridge_entries (
    account_id BIGINT NOT NULL,
    remote BIGINT NOT NULL,
    article_id BIGINT NOT NULL,
    digest TEXT COLLATE "C" DEFAULT '' NOT NULL,
    read BOOLEAN DEFAULT false NOT NULL,
    starred BOOLEAN DEFAULT false NOT NULL,
    disliked BOOLEAN DEFAULT false NOT NULL,
    CONSTRAINT pk_bridge_entries PRIMARY KEY (account_id, remote),
    CONSTRAINT fk_bridge_entries_account_id FOREIGN KEY(account_id) REFERENCES bridge_accounts (id),
    CONSTRAINT fk_bridge_entries_article_id FOREIGN KEY(article_id) REFERENCES articles (id)
);

CREATE INDEX ix_bridge_entries_account_id_read_remote_article_id ON bridge_entries (account_id, read, remote, article_id);

CREATE INDEX ix_bridge_entries_article_id ON bridge_entries (article_id);

CREATE TABLE bridge_writes (
    account_id BIGINT NOT NULL,
    remote BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    wanted TEXT COLLATE "C",
    present TEXT COLLATE "C",
    attempts INTEGER DEFAULT '0' NOT NULL,
    next_try_at BIGINT,
    problem TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_bridge_writes PRIMARY KEY (account_id, remote, kind),
    CONSTRAINT fk_bridge_writes_account_id FOREIGN KEY(account_id) REFERENCES bridge_accounts (id)
);

CREATE INDEX ix_bridge_writes_pending ON bridge_writes (account_id, next_try_at) WHERE next_try_at IS NOT NULL;

CREATE TABLE signatures (
    article_id BIGINT NOT NULL,
    maker_id BIGINT NOT NULL,
    digest BIGINT NOT NULL,
    agency TEXT COLLATE "C" DEFAULT '' NOT NULL,
    signature BYTEA NOT NULL,
    CONSTRAINT pk_signatures PRIMARY KEY (article_id),
    CONSTRAINT fk_signatures_article_id FOREIGN KEY(article_id) REFERENCES articles (id)
);

CREATE INDEX ix_signatures_maker_id_article_id ON signatures (maker_id, article_id);

CREATE TABLE entities (
    article_id BIGINT NOT NULL,
    maker_id BIGINT NOT NULL,
    digest BIGINT NOT NULL,
    names TEXT COLLATE "C" NOT NULL,
    CONSTRAINT pk_entities PRIMARY KEY (article_id),
    CONSTRAINT fk_entities_article_id FOREIGN KEY(article_id) REFERENCES articles (id)
);

CREATE TABLE links (
    article_id BIGINT NOT NULL,
    other_id BIGINT NOT NULL,
    relation TEXT COLLATE "C" NOT NULL,
    evidence TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    CONSTRAINT pk_links PRIMARY KEY (article_id, other_id),
    CONSTRAINT fk_links_article_id FOREIGN KEY(article_id) REFERENCES articles (id),
    CONSTRAINT fk_links_other_id FOREIGN KEY(other_id) REFERENCES articles (id)
);

CREATE INDEX ix_links_other_id ON links (other_id);

CREATE TABLE clusters (
    article_id BIGINT NOT NULL,
    cluster_id BIGINT NOT NULL,
    text_id BIGINT NOT NULL,
    CONSTRAINT pk_clusters PRIMARY KEY (article_id),
    CONSTRAINT fk_clusters_article_id FOREIGN KEY(article_id) REFERENCES articles (id)
);

CREATE INDEX ix_clusters_cluster_id_article_id ON clusters (cluster_id, article_id);

CREATE TABLE separations (
    article_id BIGINT NOT NULL,
    other_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    CONSTRAINT pk_separations PRIMARY KEY (article_id, other_id),
    CONSTRAINT fk_separations_article_id FOREIGN KEY(article_id) REFERENCES articles (id),
    CONSTRAINT fk_separations_other_id FOREIGN KEY(other_id) REFERENCES articles (id),
    CONSTRAINT fk_separations_user_id FOREIGN KEY(user_id) REFERENCES users (id)
);

CREATE INDEX ix_separations_other_id ON separations (other_id);

CREATE TABLE pages (
    article_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    tries INTEGER DEFAULT '0' NOT NULL,
    next_at BIGINT,
    url TEXT COLLATE "C" DEFAULT '' NOT NULL,
    problem TEXT COLLATE "C" DEFAULT '' NOT NULL,
    length INTEGER DEFAULT '0' NOT NULL,
    html TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_pages PRIMARY KEY (article_id),
    CONSTRAINT fk_pages_article_id FOREIGN KEY(article_id) REFERENCES articles (id)
);

CREATE INDEX ix_pages_url ON pages (url);

CREATE TABLE left_states (
    user_id BIGINT NOT NULL,
    left_id BIGINT NOT NULL,
    article_id BIGINT NOT NULL,
    feed_id BIGINT NOT NULL,
    dated_at BIGINT NOT NULL,
    sensitivity SMALLINT NOT NULL,
    relevance FLOAT,
    rank_key BIGINT NOT NULL,
    scored_by BIGINT NOT NULL,
    language TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_left_states PRIMARY KEY (user_id, left_id, article_id),
    CONSTRAINT fk_left_states_user_id FOREIGN KEY(user_id) REFERENCES users (id),
    CONSTRAINT fk_left_states_article_id FOREIGN KEY(article_id) REFERENCES articles (id)
);

CREATE TABLE revisions (
    id BIGSERIAL NOT NULL,
    article_id BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    content_hash TEXT COLLATE "C" DEFAULT '' NOT NULL,
    title TEXT COLLATE "C" DEFAULT '' NOT NULL,
    summary TEXT COLLATE "C" DEFAULT '' NOT NULL,
    content TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_revisions PRIMARY KEY (id),
    CONSTRAINT fk_revisions_article_id FOREIGN KEY(article_id) REFERENCES articles (id)
);

CREATE INDEX ix_revisions_article_id_id ON revisions (article_id, id);

CREATE TABLE judgements (
    id BIGSERIAL NOT NULL,
    article_id BIGINT NOT NULL,
    target_id BIGINT NOT NULL,
    action TEXT COLLATE "C" NOT NULL,
    layer TEXT COLLATE "C" DEFAULT '' NOT NULL,
    score FLOAT NOT NULL,
    detail TEXT COLLATE "C" DEFAULT '' NOT NULL,
    at BIGINT NOT NULL,
    CONSTRAINT pk_judgements PRIMARY KEY (id),
    CONSTRAINT fk_judgements_article_id FOREIGN KEY(article_id) REFERENCES articles (id),
    CONSTRAINT fk_judgements_target_id FOREIGN KEY(target_id) REFERENCES articles (id)
);

CREATE INDEX ix_judgements_article_id_id ON judgements (article_id, id);

CREATE TABLE texts (
    article_id BIGINT NOT NULL,
    maker_id BIGINT NOT NULL,
    digest BIGINT NOT NULL,
    title TEXT COLLATE "C" DEFAULT '' NOT NULL,
    lead TEXT COLLATE "C" DEFAULT '' NOT NULL,
    rest TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_texts PRIMARY KEY (article_id),
    CONSTRAINT fk_texts_article_id FOREIGN KEY(article_id) REFERENCES articles (id)
);

CREATE INDEX ix_texts_maker_id_article_id ON texts (maker_id, article_id);

CREATE TABLE embeddings (
    id BIGSERIAL NOT NULL,
    maker_id BIGINT NOT NULL,
    article_id BIGINT NOT NULL,
    vector BYTEA NOT NULL,
    CONSTRAINT pk_embeddings PRIMARY KEY (id),
    CONSTRAINT uq_embeddings_maker_id_article_id UNIQUE (maker_id, article_id),
    CONSTRAINT fk_embeddings_maker_id FOREIGN KEY(maker_id) REFERENCES makers (id),
    CONSTRAINT fk_embeddings_article_id FOREIGN KEY(article_id) REFERENCES articles (id)
);

CREATE TABLE ratings (
    maker_id BIGINT NOT NULL,
    article_id BIGINT NOT NULL,
    rating SMALLINT NOT NULL,
    confidence FLOAT NOT NULL,
    explanation TEXT COLLATE "C" DEFAULT '' NOT NULL,
    made_at BIGINT NOT NULL,
    CONSTRAINT pk_ratings PRIMARY KEY (maker_id, article_id),
    CONSTRAINT fk_ratings_maker_id FOREIGN KEY(maker_id) REFERENCES makers (id),
    CONSTRAINT fk_ratings_article_id FOREIGN KEY(article_id) REFERENCES articles (id)
);

CREATE TABLE states (
    user_id BIGINT NOT NULL,
    article_id BIGINT NOT NULL,
    feed_id BIGINT NOT NULL,
    dated_at BIGINT NOT NULL,
    read BOOLEAN DEFAULT false NOT NULL,
    starred BOOLEAN DEFAULT false NOT NULL,
    rating SMALLINT DEFAULT '0' NOT NULL,
    sensitivity SMALLINT DEFAULT '0' NOT NULL,
    relevance FLOAT,
    rank_key BIGINT NOT NULL,
    scored_by BIGINT DEFAULT '0' NOT NULL,
    language TEXT COLLATE "C" DEFAULT '' NOT NULL,
    CONSTRAINT pk_states PRIMARY KEY (user_id, article_id),
    CONSTRAINT fk_states_user_id FOREIGN KEY(user_id) REFERENCES users (id),
    CONSTRAINT fk_states_article_id FOREIGN KEY(article_id) REFERENCES articles (id),
    CONSTRAINT fk_states_feed_id FOREIGN KEY(feed_id) REFERENCES feeds (id)
);

CREATE INDEX ix_states_unread ON states (user_id, read, feed_id);

CREATE INDEX ix_states_starred ON states (user_id, starred, article_id) WHERE starred = TRUE;

CREATE INDEX ix_states_liked ON states (user_id, rating, article_id) WHERE rating = 1;

CREATE INDEX ix_states_newest ON states (user_id, read, dated_at DESC, article_id DESC, sensitivity, rank_key, language);

CREATE INDEX ix_states_language ON states (user_id, read, language, sensitivity, rank_key DESC, article_id DESC);

CREATE INDEX ix_states_article_id ON states (article_id);

CREATE INDEX ix_states_scored ON states (user_id, scored_by, dated_at DESC, article_id DESC);

CREATE INDEX ix_states_ranked ON states (user_id, read, sensitivity, rank_key DESC, article_id DESC);

CREATE TABLE events (
    id BIGSERIAL NOT NULL,
    user_id BIGINT NOT NULL,
    article_id BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    via TEXT COLLATE "C" DEFAULT '' NOT NULL,
    step BIGINT NOT NULL,
    before SMALLINT,
    undone_by BIGINT,
    CONSTRAINT pk_events PRIMARY KEY (id),
    CONSTRAINT fk_events_user_id FOREIGN KEY(user_id) REFERENCES users (id),
    CONSTRAINT fk_events_article_id FOREIGN KEY(article_id) REFERENCES articles (id)
);

CREATE INDEX ix_events_teaching ON events (user_id, id) WHERE undone_by IS NULL AND kind IN ('like', 'dislike', 'unrate', 'star', 'unstar', 'finished', 'skipped');

CREATE INDEX ix_events_standing ON events (user_id, step) WHERE undone_by IS NULL AND before IS NOT NULL;

CREATE INDEX ix_events_user_id_article_id_id ON events (user_id, article_id, id);

CREATE TABLE texts_search (
        article_id BIGINT PRIMARY KEY REFERENCES texts (article_id) ON DELETE CASCADE,
        words TSVECTOR NOT NULL
    );

CREATE INDEX ix_texts_search_words ON texts_search USING gin (words);

CREATE TABLE alembic_version (version_num VARCHAR(32) PRIMARY KEY);

INSERT INTO alembic_version (version_num) VALUES ('0012');
