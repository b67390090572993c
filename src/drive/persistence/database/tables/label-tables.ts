/** The tables of labels, as the operator defines them and as files have them: a migration of its own. */

/** `fields` is JSON: of a label what its fields are, of a file what is in them. */
export const LABEL_TABLES = `
CREATE TABLE labels(pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL DEFAULT 1, fields TEXT NOT NULL);
CREATE TABLE file_labels(file INTEGER NOT NULL, label INTEGER NOT NULL, fields TEXT NOT NULL, PRIMARY KEY(file, label)) WITHOUT ROWID;
CREATE INDEX files_labelled ON file_labels(label, file);
`
