/** The tables of a store, and the migrations to their newest version. */
import { COMMENT_TRIGGERS, CONTENT_TRIGGERS, METADATA_TRIGGERS } from './counted.ts'

/** Key of `anyone`: every user, and callers without an account. SQL statements contain it; other keys begin with 1. */
export const ANYONE = 0

/** Times are milliseconds since 1970, flags 0 or 1. `pk` never leaves the database; `id` is public. */
const TABLES = `
CREATE TABLE settings(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Grantees: users, groups, domains, links of their own, and anyone. Users of a domain are members of it, so domains are
-- looked up like groups. AUTOINCREMENT: the record of accesses still has the keys of deleted links
-- password: a hash with its parameters. is_disabled, also of clients, keys and labels: unusable until enabled again
CREATE TABLE principals(
  pk INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL CHECK(kind IN ('user', 'group', 'domain', 'link', 'anyone')),
  id TEXT NOT NULL UNIQUE, email TEXT COLLATE NOCASE UNIQUE, name TEXT NOT NULL, domain TEXT COLLATE NOCASE,
  picture TEXT, is_admin INTEGER NOT NULL DEFAULT 0, is_known INTEGER NOT NULL DEFAULT 1,
  quota INTEGER, used INTEGER NOT NULL DEFAULT 0, root INTEGER, is_disabled INTEGER NOT NULL DEFAULT 0,
  metadata INTEGER NOT NULL DEFAULT 0, password TEXT);
INSERT INTO principals(pk, kind, id, name) VALUES (${ANYONE}, 'anyone', 'anyone', 'Anyone');
CREATE INDEX principals_domain ON principals(domain) WHERE kind = 'domain';
CREATE INDEX principals_known ON principals(kind, email) WHERE is_known = 1;
CREATE TABLE links(principal INTEGER PRIMARY KEY, password TEXT, max_downloads INTEGER, downloads INTEGER NOT NULL DEFAULT 0);
CREATE TABLE members(grp INTEGER NOT NULL, member INTEGER NOT NULL, PRIMARY KEY(grp, member)) WITHOUT ROWID;
CREATE INDEX members_of ON members(member);
-- members of disabled groups; they return to members when the group is enabled
CREATE TABLE suspended_members(grp INTEGER NOT NULL, member INTEGER NOT NULL, PRIMARY KEY(grp, member)) WITHOUT ROWID;
-- redirects: JSON array of addresses
CREATE TABLE clients(pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, secret TEXT, name TEXT NOT NULL, facts TEXT NOT NULL DEFAULT '{}',
  is_disabled INTEGER NOT NULL DEFAULT 0, redirects TEXT NOT NULL DEFAULT '[]');
CREATE TABLE app_roots(user INTEGER NOT NULL, client INTEGER NOT NULL, root INTEGER NOT NULL, PRIMARY KEY(user, client)) WITHOUT ROWID;
-- source: digest of the parent token, or name of the key or sign-in. Rows that a token began have its digest as "via"
-- and end with it
CREATE TABLE tokens(
  digest TEXT PRIMARY KEY, user INTEGER NOT NULL, client INTEGER NOT NULL, scopes TEXT NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN ('access', 'refresh', 'code')), expires INTEGER, created INTEGER NOT NULL,
  label TEXT, facts TEXT NOT NULL DEFAULT '{}', source TEXT) WITHOUT ROWID;
CREATE INDEX tokens_of ON tokens(user, client);
CREATE INDEX tokens_from ON tokens(source) WHERE source IS NOT NULL;
CREATE INDEX tokens_made ON tokens(created) WHERE source IS NULL;
CREATE INDEX tokens_signed_in ON tokens(created) WHERE source >= 'sign-in:' AND source < 'sign-in;';
CREATE TABLE account_keys(kid TEXT PRIMARY KEY, client INTEGER NOT NULL, user INTEGER NOT NULL, public_key TEXT NOT NULL, may_impersonate INTEGER NOT NULL DEFAULT 0,
  is_disabled INTEGER NOT NULL DEFAULT 0, name TEXT, created INTEGER) WITHOUT ROWID;

-- AUTOINCREMENT: keys of deleted files are not reused, since the change log still has them
CREATE TABLE files(
  pk INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK(kind IN ('file', 'folder', 'shortcut')),
  title TEXT NOT NULL, fold TEXT NOT NULL, natural TEXT NOT NULL, mime TEXT NOT NULL, space TEXT NOT NULL DEFAULT 'drive' CHECK(space IN ('drive', 'appDataFolder')),
  owner INTEGER, drive INTEGER, client INTEGER NOT NULL, acl INTEGER NOT NULL, is_root INTEGER NOT NULL DEFAULT 0,
  explicit_trash INTEGER NOT NULL DEFAULT 0, trashed INTEGER NOT NULL DEFAULT 0, trashed_at INTEGER, trasher INTEGER,
  created INTEGER NOT NULL, modified INTEGER NOT NULL, modifier INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1, head INTEGER, size INTEGER NOT NULL DEFAULT 0, used INTEGER NOT NULL DEFAULT 0,
  extension TEXT, full_extension TEXT, original_name TEXT, target TEXT, extra TEXT NOT NULL DEFAULT '{}');
-- orders of lists. files_seen includes the columns of filters, so that other rows are not fetched
CREATE INDEX files_seen ON files(acl, modified DESC, trashed, is_root, space, client, mime, extension);
CREATE INDEX files_titles ON files(acl, substr(fold, 1, 300));
CREATE INDEX files_trashed ON files(acl) WHERE trashed = 1;
CREATE INDEX files_folders ON files(acl) WHERE kind = 'folder';
CREATE INDEX files_owned ON files(owner, explicit_trash);
CREATE INDEX files_drive ON files(drive, modified DESC) WHERE drive IS NOT NULL;
CREATE TABLE parents(parent INTEGER NOT NULL, child INTEGER NOT NULL, PRIMARY KEY(parent, child)) WITHOUT ROWID;
CREATE INDEX parents_of ON parents(child);

-- grants: as given. acls: access lists, with the strongest role of each principal after inheritance; equal ones are kept once
CREATE TABLE grants(item INTEGER NOT NULL, principal INTEGER NOT NULL, role TEXT NOT NULL, with_link INTEGER NOT NULL DEFAULT 0,
  expires INTEGER, created INTEGER NOT NULL, granter INTEGER NOT NULL, PRIMARY KEY(item, principal)) WITHOUT ROWID;
CREATE INDEX grants_to ON grants(principal);
CREATE INDEX grants_expiring ON grants(expires) WHERE expires IS NOT NULL;
-- drive: the shared drive of all items with this list; NULL in My Drive
CREATE TABLE acls(pk INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, drive INTEGER);
CREATE INDEX acls_of_drive ON acls(drive) WHERE drive IS NOT NULL;
CREATE TABLE acl_entries(acl INTEGER NOT NULL, principal INTEGER NOT NULL, role TEXT NOT NULL, is_listed INTEGER NOT NULL DEFAULT 1, PRIMARY KEY(acl, principal)) WITHOUT ROWID;
CREATE INDEX acls_of ON acl_entries(principal, acl);
CREATE TABLE user_state(user INTEGER NOT NULL, item INTEGER NOT NULL, starred INTEGER NOT NULL DEFAULT 0, viewed_at INTEGER, modified_at INTEGER,
  shared_at INTEGER, sharer INTEGER, is_hidden INTEGER NOT NULL DEFAULT 0, version INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(user, item)) WITHOUT ROWID;
CREATE INDEX user_state_of ON user_state(item);
CREATE INDEX user_state_starred ON user_state(user, item) WHERE starred = 1;

-- kind: 'inline' (blob_data) or 'file' (named by its SHA-256). A blob goes with its last revision.
-- blobs_shared: omits small contents, since each would change its own page of the index
CREATE TABLE blobs(pk INTEGER PRIMARY KEY, sha256 TEXT NOT NULL, sha1 TEXT NOT NULL, md5 TEXT NOT NULL, size INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN ('inline', 'file')), created INTEGER NOT NULL);
CREATE UNIQUE INDEX blobs_shared ON blobs(sha256) WHERE kind = 'file' OR size = 0;
CREATE TABLE blob_data(blob INTEGER PRIMARY KEY, data BLOB NOT NULL);
-- is_lost: the content is lost, and no copy was found
CREATE TABLE revisions(pk INTEGER PRIMARY KEY, file INTEGER NOT NULL, id TEXT NOT NULL, blob INTEGER NOT NULL, mime TEXT NOT NULL, size INTEGER NOT NULL,
  modified INTEGER NOT NULL, modifier INTEGER NOT NULL, pinned INTEGER NOT NULL DEFAULT 0, original_name TEXT, version INTEGER NOT NULL DEFAULT 1,
  is_lost INTEGER NOT NULL DEFAULT 0, UNIQUE(file, id));
CREATE INDEX revisions_of_blob ON revisions(blob);
-- removals: contents in files whose last revision has gone, until they are removed. payer: user of the file. is_held: not
-- removed at once, and counted for the payer
CREATE TABLE removals(sha256 TEXT PRIMARY KEY, size INTEGER NOT NULL, payer INTEGER, is_held INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE INDEX removals_held ON removals(payer) WHERE is_held = 1;

-- app: client of a private property; 0 for a public one
CREATE TABLE properties(file INTEGER NOT NULL, app INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY(file, app, key)) WITHOUT ROWID;
CREATE INDEX properties_by_key ON properties(key, value);

-- drive: shared drive of the item when it changed. client, space: those of a deleted item, which is hidden from other
-- clients. change_index: latest entry of each item for each principal
CREATE TABLE changes(seq INTEGER PRIMARY KEY AUTOINCREMENT, item INTEGER NOT NULL, item_id TEXT NOT NULL, at INTEGER NOT NULL, is_gone INTEGER NOT NULL DEFAULT 0,
  drive INTEGER, client INTEGER, space TEXT);
CREATE TABLE change_index(principal INTEGER NOT NULL, item INTEGER NOT NULL, seq INTEGER NOT NULL, is_removed INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(principal, item)) WITHOUT ROWID;
CREATE INDEX change_order ON change_index(principal, seq);
CREATE INDEX changes_gone ON changes(item_id) WHERE is_gone = 1;
-- eras: one row for each opening by a writer; seq: number of the newest change then
CREATE TABLE eras(pk INTEGER PRIMARY KEY AUTOINCREMENT, mark TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL);

CREATE TABLE uploads(digest TEXT PRIMARY KEY, user INTEGER NOT NULL, client INTEGER NOT NULL, facts TEXT NOT NULL, total INTEGER, received INTEGER NOT NULL DEFAULT 0,
  staged TEXT NOT NULL, state TEXT NOT NULL CHECK(state IN ('open', 'done', 'cancelled')), result TEXT, touched INTEGER NOT NULL,
  via TEXT) WITHOUT ROWID;
-- index to count a user's open uploads when another begins
CREATE INDEX uploads_open ON uploads(user) WHERE state = 'open';
-- contents that a clean-up removes from a bucket
CREATE TABLE withdrawals(pk INTEGER PRIMARY KEY AUTOINCREMENT, sha256 TEXT NOT NULL, at INTEGER NOT NULL, is_over INTEGER NOT NULL DEFAULT 0);
CREATE INDEX withdrawals_of ON withdrawals(sha256);

-- search text given by a client, which the word index cannot return
CREATE TABLE indexable(file INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE VIRTUAL TABLE words USING fts5(title, body, content, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2', prefix='2 3');

-- content: NULL once deleted; the row remains. context: JSON
CREATE TABLE comments(
  pk INTEGER PRIMARY KEY, file INTEGER NOT NULL, id TEXT NOT NULL, author INTEGER NOT NULL, content TEXT,
  anchor TEXT, context TEXT, created INTEGER NOT NULL, modified INTEGER NOT NULL,
  is_resolved INTEGER NOT NULL DEFAULT 0, is_deleted INTEGER NOT NULL DEFAULT 0, UNIQUE(file, id));
CREATE INDEX comments_newest ON comments(file, modified DESC, pk DESC);
CREATE TABLE replies(
  pk INTEGER PRIMARY KEY, comment INTEGER NOT NULL, id TEXT NOT NULL, author INTEGER NOT NULL, content TEXT, verb TEXT,
  created INTEGER NOT NULL, modified INTEGER NOT NULL, is_deleted INTEGER NOT NULL DEFAULT 0, UNIQUE(comment, id));
CREATE INDEX replies_oldest ON replies(comment, pk);

-- item: watched file; NULL for a channel of the change log, whose search (JSON) selects changes. seen: JSON of the file's
-- last state for the user. due: time to send the first waiting message, NULL without one. attempts: times it was sent.
-- expires: 0 for a stopped channel until it is deleted
CREATE TABLE channels(
  pk INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, client INTEGER NOT NULL, user INTEGER NOT NULL, scopes TEXT NOT NULL,
  hides_drives INTEGER NOT NULL DEFAULT 0,
  item INTEGER, search TEXT, seen TEXT, resource TEXT NOT NULL, uri TEXT NOT NULL, address TEXT NOT NULL, token TEXT,
  expires INTEGER NOT NULL, messages INTEGER NOT NULL DEFAULT 0, waiting INTEGER NOT NULL DEFAULT 0,
  due INTEGER, attempts INTEGER NOT NULL DEFAULT 0, via TEXT, UNIQUE(client, id));
CREATE INDEX channels_due ON channels(due) WHERE due IS NOT NULL;
CREATE INDEX channels_of_item ON channels(item) WHERE item IS NOT NULL;
CREATE INDEX channels_of_user ON channels(user, expires);
CREATE TABLE deliveries(
  pk INTEGER PRIMARY KEY AUTOINCREMENT, channel INTEGER NOT NULL, number INTEGER NOT NULL, state TEXT NOT NULL, changed TEXT,
  created INTEGER NOT NULL);
CREATE INDEX deliveries_of ON deliveries(channel, pk);

-- fields: JSON; definitions in labels, values in file_labels
CREATE TABLE labels(pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL DEFAULT 1, fields TEXT NOT NULL,
  is_disabled INTEGER NOT NULL DEFAULT 0);
CREATE TABLE file_labels(file INTEGER NOT NULL, label INTEGER NOT NULL, fields TEXT NOT NULL, PRIMARY KEY(file, label)) WITHOUT ROWID;
CREATE INDEX files_labelled ON file_labels(label, file);

-- data of a shared drive that its root folder, with the same key, lacks. payer: user charged for its items
CREATE TABLE drives(root INTEGER PRIMARY KEY, domain TEXT COLLATE NOCASE, theme TEXT, color TEXT, background TEXT,
  restrictions TEXT NOT NULL DEFAULT '{}', payer INTEGER);
CREATE INDEX drives_paid ON drives(payer);
CREATE TABLE drive_requests(user INTEGER NOT NULL, request TEXT NOT NULL, PRIMARY KEY(user, request)) WITHOUT ROWID;

-- subject: a digest, since the typed text may be a password in the wrong field
CREATE TABLE sign_in_attempts(subject TEXT PRIMARY KEY, failures INTEGER NOT NULL, since INTEGER NOT NULL) WITHOUT ROWID;
-- digest: digest of the program's device code
CREATE TABLE device_requests(
  digest TEXT PRIMARY KEY, user_code TEXT NOT NULL UNIQUE, client INTEGER NOT NULL, scopes TEXT NOT NULL, address TEXT NOT NULL,
  expires INTEGER NOT NULL, polled INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL CHECK(state IN ('waiting', 'allowed', 'refused')), user INTEGER) WITHOUT ROWID;
CREATE INDEX device_requests_from ON device_requests(address);

-- log of administrators' actions. actor: key of the principal, or 0 for the operator
CREATE TABLE administration(pk INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor INTEGER NOT NULL, command TEXT NOT NULL,
  subject TEXT NOT NULL, detail TEXT NOT NULL);

-- terms, progress: JSON (domain/rules/rule-rows.ts). reason: why the rule ended; kept until the rule is removed
CREATE TABLE rules(
  pk INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, folder INTEGER NOT NULL, maker INTEGER NOT NULL, target INTEGER NOT NULL,
  terms TEXT NOT NULL, created INTEGER NOT NULL, ended INTEGER, reason TEXT, progress TEXT NOT NULL DEFAULT '{}');
CREATE INDEX rules_of ON rules(folder);
${COMMENT_TRIGGERS}${METADATA_TRIGGERS}${CONTENT_TRIGGERS}`

/** The first creates the tables; each upgrades to the version of its number. A published migration never changes. */
export const MIGRATIONS: readonly string[] = [TABLES]

/** Version of the tables that this program works with. */
export const NEWEST_VERSION = MIGRATIONS.length
