/** What people sign in with, and where programs may send them back to: a migration of its own. */

/**
 * `password` is a hash with its parameters, `redirects` JSON of addresses. A subject of `sign_in_attempts` is a digest: what was typed
 * may be a password in the wrong field. `digest` of a device request is that of the code that the program keeps.
 */
export const SIGN_IN_TABLES = `
ALTER TABLE principals ADD COLUMN password TEXT;
ALTER TABLE clients ADD COLUMN redirects TEXT NOT NULL DEFAULT '[]';
CREATE TABLE sign_in_attempts(subject TEXT PRIMARY KEY, failures INTEGER NOT NULL, since INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE device_requests(
  digest TEXT PRIMARY KEY, user_code TEXT NOT NULL UNIQUE, client INTEGER NOT NULL, scopes TEXT NOT NULL, address TEXT NOT NULL,
  expires INTEGER NOT NULL, polled INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL CHECK(state IN ('waiting', 'allowed', 'refused')), user INTEGER) WITHOUT ROWID;
CREATE INDEX device_requests_from ON device_requests(address);
`
