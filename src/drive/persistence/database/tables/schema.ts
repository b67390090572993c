/** The tables, as migrations: the n-th brings a database from version n to n + 1, in one transaction. */
import { ENDING_TABLES } from './account-tables.ts'
import { ADMINISTRATION_TABLES } from './administration-tables.ts'
import { CHANNEL_TABLES, ENDED_WITH_TOKENS } from './channel-tables.ts'
import { COMMENT_TABLES } from './comment-tables.ts'
import { LABEL_TABLES } from './label-tables.ts'
import { COUNTED_METADATA } from './metadata-tables.ts'
import { PAID_COMMENTS, PAID_DRIVES } from './quota-tables.ts'
import { PLACE_TABLES } from './place-tables.ts'
import { RULE_TABLES } from './rule-tables.ts'
import { SHARING } from './schema-sharing.ts'
import { SIGN_IN_TABLES } from './sign-in-tables.ts'

/** Times are milliseconds since 1970, flags 0 or 1. `pk` never leaves the database; `id` is what the interface shows. */
const FIRST = `
CREATE TABLE settings(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- users, groups, domains and anyone: whoever a grant may name
CREATE TABLE principals(
  pk INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK(kind IN ('user', 'group', 'domain', 'anyone')),
  id TEXT NOT NULL UNIQUE, email TEXT COLLATE NOCASE UNIQUE, name TEXT NOT NULL, domain TEXT COLLATE NOCASE,
  picture TEXT, is_admin INTEGER NOT NULL DEFAULT 0, is_known INTEGER NOT NULL DEFAULT 1,
  quota INTEGER, used INTEGER NOT NULL DEFAULT 0, root INTEGER);
CREATE TABLE members(grp INTEGER NOT NULL, member INTEGER NOT NULL, PRIMARY KEY(grp, member)) WITHOUT ROWID;
CREATE INDEX members_of ON members(member);
CREATE TABLE clients(pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, secret TEXT, name TEXT NOT NULL, facts TEXT NOT NULL DEFAULT '{}');
CREATE TABLE app_roots(user INTEGER NOT NULL, client INTEGER NOT NULL, root INTEGER NOT NULL, PRIMARY KEY(user, client)) WITHOUT ROWID;
CREATE TABLE tokens(
  digest TEXT PRIMARY KEY, user INTEGER NOT NULL, client INTEGER NOT NULL, scopes TEXT NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN ('access', 'refresh', 'code')), expires INTEGER, created INTEGER NOT NULL,
  label TEXT, facts TEXT NOT NULL DEFAULT '{}') WITHOUT ROWID;
CREATE TABLE account_keys(kid TEXT PRIMARY KEY, client INTEGER NOT NULL, user INTEGER NOT NULL, public_key TEXT NOT NULL, may_impersonate INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;

-- keys of deleted files are never given again: the change log still has them
CREATE TABLE files(
  pk INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK(kind IN ('file', 'folder', 'shortcut')),
  title TEXT NOT NULL, fold TEXT NOT NULL, natural TEXT NOT NULL, mime TEXT NOT NULL, space TEXT NOT NULL DEFAULT 'drive' CHECK(space IN ('drive', 'appDataFolder')),
  owner INTEGER, drive INTEGER, client INTEGER NOT NULL, acl INTEGER NOT NULL, is_root INTEGER NOT NULL DEFAULT 0,
  explicit_trash INTEGER NOT NULL DEFAULT 0, trashed INTEGER NOT NULL DEFAULT 0, trashed_at INTEGER, trasher INTEGER,
  created INTEGER NOT NULL, modified INTEGER NOT NULL, modifier INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1, head INTEGER, size INTEGER NOT NULL DEFAULT 0, used INTEGER NOT NULL DEFAULT 0,
  extension TEXT, full_extension TEXT, original_name TEXT, target TEXT, extra TEXT NOT NULL DEFAULT '{}');
-- lists walk over these in order; what lists are filtered by stands in the first, so that rows which do not fit are not fetched
CREATE INDEX files_seen ON files(acl, modified DESC, trashed, is_root, space, client, mime, extension);
CREATE INDEX files_titles ON files(acl, substr(fold, 1, 300));
CREATE INDEX files_trashed ON files(acl) WHERE trashed = 1;
CREATE INDEX files_folders ON files(acl) WHERE kind = 'folder';
CREATE INDEX files_owned ON files(owner, explicit_trash);
CREATE INDEX files_drive ON files(drive, modified DESC) WHERE drive IS NOT NULL;
CREATE TABLE parents(parent INTEGER NOT NULL, child INTEGER NOT NULL, PRIMARY KEY(parent, child)) WITHOUT ROWID;
CREATE INDEX parents_of ON parents(child);

-- grants as they were given; acls: the strongest role of each principal after inheritance, shared by equal sets
CREATE TABLE grants(item INTEGER NOT NULL, principal INTEGER NOT NULL, role TEXT NOT NULL, with_link INTEGER NOT NULL DEFAULT 0,
  expires INTEGER, created INTEGER NOT NULL, granter INTEGER NOT NULL, PRIMARY KEY(item, principal)) WITHOUT ROWID;
CREATE INDEX grants_to ON grants(principal);
CREATE TABLE acls(pk INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE);
CREATE TABLE acl_entries(acl INTEGER NOT NULL, principal INTEGER NOT NULL, role TEXT NOT NULL, is_listed INTEGER NOT NULL DEFAULT 1, PRIMARY KEY(acl, principal)) WITHOUT ROWID;
CREATE INDEX acls_of ON acl_entries(principal, acl);
CREATE TABLE user_state(user INTEGER NOT NULL, item INTEGER NOT NULL, starred INTEGER NOT NULL DEFAULT 0, viewed_at INTEGER, modified_at INTEGER,
  shared_at INTEGER, sharer INTEGER, is_hidden INTEGER NOT NULL DEFAULT 0, version INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(user, item)) WITHOUT ROWID;
CREATE INDEX user_state_of ON user_state(item);
CREATE INDEX user_state_starred ON user_state(user, item) WHERE starred = 1;

-- place: 'inline' (blob_data) or 'file' (by its SHA-256); that no revision names one any more is found by the sweep
CREATE TABLE blobs(pk INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, sha1 TEXT NOT NULL, md5 TEXT NOT NULL, size INTEGER NOT NULL, place TEXT NOT NULL CHECK(place IN ('inline', 'file')), created INTEGER NOT NULL);
CREATE TABLE blob_data(blob INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE revisions(pk INTEGER PRIMARY KEY, file INTEGER NOT NULL, id TEXT NOT NULL, blob INTEGER NOT NULL, mime TEXT NOT NULL, size INTEGER NOT NULL,
  modified INTEGER NOT NULL, modifier INTEGER NOT NULL, pinned INTEGER NOT NULL DEFAULT 0, original_name TEXT, version INTEGER NOT NULL DEFAULT 1, UNIQUE(file, id));
CREATE INDEX revisions_of_blob ON revisions(blob);

-- app: 0 for public ones
CREATE TABLE properties(file INTEGER NOT NULL, app INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY(file, app, key)) WITHOUT ROWID;
CREATE INDEX properties_by_key ON properties(key, value);

-- one row of change_index for each principal and item: the latest entry
CREATE TABLE changes(seq INTEGER PRIMARY KEY AUTOINCREMENT, item INTEGER NOT NULL, item_id TEXT NOT NULL, at INTEGER NOT NULL, is_gone INTEGER NOT NULL DEFAULT 0);
CREATE TABLE change_index(principal INTEGER NOT NULL, item INTEGER NOT NULL, seq INTEGER NOT NULL, is_removed INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(principal, item)) WITHOUT ROWID;
CREATE INDEX change_order ON change_index(principal, seq);
CREATE INDEX changes_gone ON changes(item_id) WHERE is_gone = 1;

CREATE TABLE uploads(digest TEXT PRIMARY KEY, user INTEGER NOT NULL, client INTEGER NOT NULL, facts TEXT NOT NULL, total INTEGER, received INTEGER NOT NULL DEFAULT 0,
  staged TEXT NOT NULL, state TEXT NOT NULL CHECK(state IN ('open', 'done', 'cancelled')), result TEXT, touched INTEGER NOT NULL) WITHOUT ROWID;

-- what a client gave to be found by: the index of words cannot give it back
CREATE TABLE indexable(file INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE VIRTUAL TABLE words USING fts5(title, body, content, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2', prefix='2 3');
`

/** For deleted items: the client that made them and their space, so that other clients are not told. */
const GONE = `ALTER TABLE changes ADD COLUMN client INTEGER;
ALTER TABLE changes ADD COLUMN space TEXT;`

/** The open uploads of a user are counted whenever another begins. */
const OPEN_UPLOADS = "CREATE INDEX uploads_open ON uploads(user) WHERE state = 'open';"

/** Finds the clients that hold tokens of a user. */
const TOKENS_OF = 'CREATE INDEX tokens_of ON tokens(user, client);'

/**
 * A digest is looked up only where it makes a difference, as the name of a file and for contents of no bytes: in an index of all
 * of them every small content changes a page of its own.
 */
export const SHARED_CONTENTS = `
CREATE TABLE blobs_anew(pk INTEGER PRIMARY KEY, sha256 TEXT NOT NULL, sha1 TEXT NOT NULL, md5 TEXT NOT NULL, size INTEGER NOT NULL,
  place TEXT NOT NULL CHECK(place IN ('inline', 'file')), created INTEGER NOT NULL);
INSERT INTO blobs_anew SELECT pk, sha256, sha1, md5, size, place, created FROM blobs ORDER BY pk;
DROP TABLE blobs;
ALTER TABLE blobs_anew RENAME TO blobs;
CREATE UNIQUE INDEX blobs_shared ON blobs(sha256) WHERE place = 'file' OR size = 0;
`

/** Its content is lost, and no copy was found. */
const LOST_CONTENTS = 'ALTER TABLE revisions ADD COLUMN is_lost INTEGER NOT NULL DEFAULT 0;'

export const MIGRATIONS: readonly string[] = [
  FIRST,
  `${COMMENT_TABLES}${TOKENS_OF}`,
  CHANNEL_TABLES,
  LABEL_TABLES,
  SHARING,
  `${GONE}${OPEN_UPLOADS}`,
  ENDED_WITH_TOKENS,
  SHARED_CONTENTS,
  ENDING_TABLES,
  LOST_CONTENTS,
  PAID_DRIVES,
  PAID_COMMENTS,
  COUNTED_METADATA,
  SIGN_IN_TABLES,
  PLACE_TABLES,
  ADMINISTRATION_TABLES,
  RULE_TABLES,
]
