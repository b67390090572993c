/** What administrators have done, and what their lists are read by: a migration of its own. */

/** `actor` is a key of `principals`, or 0 for the operator. Of tokens those count that were made by hand, and those of who signed in. */
export const ADMINISTRATION_TABLES = `
CREATE TABLE administration(pk INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor INTEGER NOT NULL, command TEXT NOT NULL,
  subject TEXT NOT NULL, detail TEXT NOT NULL);
CREATE INDEX principals_known ON principals(kind, email) WHERE is_known = 1;
CREATE INDEX tokens_made ON tokens(created) WHERE source IS NULL;
CREATE INDEX tokens_signed_in ON tokens(created) WHERE source >= 'sign-in:' AND source < 'sign-in;';
`
