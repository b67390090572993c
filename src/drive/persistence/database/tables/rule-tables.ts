/** Rules of folders: a migration of its own. */

/** `terms` and `progress` are JSON (domain/rules/terms.ts). A rule that has ended keeps its reason until somebody removes it. */
export const RULE_TABLES = `
CREATE TABLE rules(
  pk INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, folder INTEGER NOT NULL, maker INTEGER NOT NULL, target INTEGER NOT NULL,
  terms TEXT NOT NULL, created INTEGER NOT NULL, ended INTEGER, reason TEXT, progress TEXT NOT NULL DEFAULT '{}');
CREATE INDEX rules_of ON rules(folder);
`
