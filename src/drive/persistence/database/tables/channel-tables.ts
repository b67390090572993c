/** The tables of push channels and of what they have still to tell: a migration of its own. */

/**
 * `item` is NULL for a channel of the change log, which has `search` instead, JSON of what it looks for; `seen` is JSON of
 * what the file last looked like to the user. `due` is when its first message is to be sent, `attempts` how often it was; NULL: nothing
 * waits. A channel that was stopped has `expires` 0 until it is forgotten.
 */
export const CHANNEL_TABLES = `
CREATE TABLE channels(
  pk INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, client INTEGER NOT NULL, user INTEGER NOT NULL, scopes TEXT NOT NULL,
  hides_drives INTEGER NOT NULL DEFAULT 0,
  item INTEGER, search TEXT, seen TEXT, resource TEXT NOT NULL, uri TEXT NOT NULL, address TEXT NOT NULL, token TEXT,
  expires INTEGER NOT NULL, messages INTEGER NOT NULL DEFAULT 0, waiting INTEGER NOT NULL DEFAULT 0,
  due INTEGER, attempts INTEGER NOT NULL DEFAULT 0, UNIQUE(client, id));
CREATE INDEX channels_due ON channels(due) WHERE due IS NOT NULL;
CREATE INDEX channels_of_item ON channels(item) WHERE item IS NOT NULL;
CREATE INDEX channels_of_user ON channels(user, expires);
CREATE TABLE deliveries(
  pk INTEGER PRIMARY KEY AUTOINCREMENT, channel INTEGER NOT NULL, number INTEGER NOT NULL, state TEXT NOT NULL, changed TEXT,
  created INTEGER NOT NULL);
CREATE INDEX deliveries_of ON deliveries(channel, pk);
`

/** What a token was given for, and what a channel was opened with: digests, as JSON. Whoever ends a token ends them. */
export const ENDED_WITH_TOKENS = `
ALTER TABLE tokens ADD COLUMN source TEXT;
CREATE INDEX tokens_from ON tokens(source) WHERE source IS NOT NULL;
ALTER TABLE channels ADD COLUMN via TEXT;
`
