/** What of accounts, programs and labels can be ended: a migration of its own. */

/**
 * `via` of an upload is that of a channel: whoever ends a token ends what was begun with it. Who is suspended is in no group, and
 * comes back into those in `suspended_members`. Principals, clients, keys and labels that are disabled stay what they are.
 */
export const ENDING_TABLES = `
ALTER TABLE uploads ADD COLUMN via TEXT;
ALTER TABLE principals ADD COLUMN is_disabled INTEGER NOT NULL DEFAULT 0;
ALTER TABLE clients ADD COLUMN is_disabled INTEGER NOT NULL DEFAULT 0;
ALTER TABLE labels ADD COLUMN is_disabled INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account_keys ADD COLUMN is_disabled INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account_keys ADD COLUMN name TEXT;
ALTER TABLE account_keys ADD COLUMN created INTEGER;
CREATE TABLE suspended_members(grp INTEGER NOT NULL, member INTEGER NOT NULL, PRIMARY KEY(grp, member)) WITHOUT ROWID;
`
