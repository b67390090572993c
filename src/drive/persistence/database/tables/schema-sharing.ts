/** The tables of sharing: a migration of those in `schema.ts`. */

/** Key of `anyone`: every user, and who has no account. Statements contain it; keys of users begin with 1. */
export const ANYONE = 0

/** The users of a domain are its members, so that domains are looked up like groups. */
export const SHARING = `
INSERT INTO principals(pk, kind, id, name) VALUES (${ANYONE}, 'anyone', 'anyone', 'Anyone');
INSERT INTO principals(kind, id, name, domain)
  SELECT 'domain', printf('%020d', min(pk)) || 'k', lower(domain), lower(domain) FROM principals
  WHERE kind = 'user' AND domain IS NOT NULL GROUP BY lower(domain) ORDER BY lower(domain);
INSERT INTO members(grp, member) SELECT d.pk, u.pk FROM principals d JOIN principals u ON u.domain = d.domain
  WHERE d.kind = 'domain' AND u.kind = 'user' ORDER BY d.pk, u.pk;
CREATE INDEX principals_domain ON principals(domain) WHERE kind = 'domain';
CREATE INDEX grants_expiring ON grants(expires) WHERE expires IS NOT NULL;

-- a shared drive: what its root folder, with the same key, does not say
CREATE TABLE drives(root INTEGER PRIMARY KEY, domain TEXT COLLATE NOCASE, theme TEXT, color TEXT, background TEXT,
  restrictions TEXT NOT NULL DEFAULT '{}');
CREATE TABLE drive_requests(user INTEGER NOT NULL, request TEXT NOT NULL, PRIMARY KEY(user, request)) WITHOUT ROWID;
-- a set of rights is of one shared drive, or of none
ALTER TABLE acls ADD COLUMN drive INTEGER;
CREATE INDEX acls_of_drive ON acls(drive) WHERE drive IS NOT NULL;
-- the shared drive that an item was in when it changed
ALTER TABLE changes ADD COLUMN drive INTEGER;
`
