/** Tables of contents that several servers share: what uploads have brought, and what a clean-up takes away. */
export const PLACE_TABLES = `
CREATE TABLE upload_pieces(upload TEXT NOT NULL, start INTEGER NOT NULL, size INTEGER NOT NULL, object TEXT NOT NULL UNIQUE, PRIMARY KEY(upload, start)) WITHOUT ROWID;
CREATE TABLE withdrawals(pk INTEGER PRIMARY KEY AUTOINCREMENT, sha256 TEXT NOT NULL, at INTEGER NOT NULL, is_over INTEGER NOT NULL DEFAULT 0);
CREATE INDEX withdrawals_of ON withdrawals(sha256);
`
