-- The role through which Newsloom reads Tiny Tiny RSS and writes its scores, with no right beyond.
--
-- Run it as a superuser in the database of Tiny Tiny RSS:
--
--     newsloom ttrss role | sudo -u postgres psql -v ON_ERROR_STOP=1 -d ttrss
--
-- then give the role a password:
--
--     sudo -u postgres psql -d ttrss -c '\password newsloom'
--
-- Running it again changes nothing. To take it all back: DROP OWNED BY newsloom; DROP ROLE newsloom;

BEGIN;

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'newsloom') THEN
        CREATE ROLE newsloom LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 8;
    END IF;
END
$$;

-- Whatever becomes of Newsloom, Tiny Tiny RSS does not wait for it.
ALTER ROLE newsloom SET lock_timeout = '40ms';
ALTER ROLE newsloom SET idle_in_transaction_session_timeout = '1s';

-- What it reads. No passwords: neither of users nor of feeds.
GRANT SELECT (schema_version) ON ttrss_version TO newsloom;
GRANT SELECT (id, login) ON ttrss_users TO newsloom;
GRANT SELECT (id, owner_uid, title, parent_cat) ON ttrss_feed_categories TO newsloom;
GRANT SELECT (id, owner_uid, title, cat_id, site_url) ON ttrss_feeds TO newsloom;
GRANT SELECT (
    id, guid, link, title, author, lang, comments, content, content_hash, updated, date_entered
) ON ttrss_entries TO newsloom;
GRANT SELECT (
    int_id, ref_id, feed_id, owner_uid, unread, marked, published, last_read, last_marked,
    last_published, score
) ON ttrss_user_entries TO newsloom;
GRANT SELECT (id, tag_name, owner_uid, post_int_id) ON ttrss_tags TO newsloom;
GRANT SELECT (id, owner_uid, caption) ON ttrss_labels2 TO newsloom;
GRANT SELECT (label_id, article_id) ON ttrss_user_labels2 TO newsloom;
GRANT SELECT (id, post_id, content_url, content_type) ON ttrss_enclosures TO newsloom;

-- What it writes: one column.
GRANT UPDATE (score) ON ttrss_user_entries TO newsloom;

-- part: titles
-- For the setting ttrss.mark_titles.
GRANT UPDATE (title) ON ttrss_entries TO newsloom;

-- part: sensitivity
-- For the setting ttrss.sensitivity_table.
DO $$
BEGIN
    IF to_regtype('confidence') IS NULL THEN
        CREATE TYPE confidence AS ENUM ('low', 'medium', 'high');
    END IF;
END
$$;
CREATE TABLE IF NOT EXISTS time_sensitivity (
    article_id integer PRIMARY KEY REFERENCES ttrss_entries (id) ON DELETE CASCADE,
    score integer NOT NULL DEFAULT 0,
    last_updated timestamp with time zone NOT NULL DEFAULT now(),
    confidence confidence,
    explanation text
);
GRANT SELECT, INSERT, UPDATE ON time_sensitivity TO newsloom;

-- part: end
COMMIT;
