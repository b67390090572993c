/** The tables of what people say about files: a migration of its own. */

/** What was deleted keeps its row without its words; `context` is JSON. */
export const COMMENT_TABLES = `
CREATE TABLE comments(
  pk INTEGER PRIMARY KEY, file INTEGER NOT NULL, id TEXT NOT NULL, author INTEGER NOT NULL, content TEXT,
  anchor TEXT, context TEXT, created INTEGER NOT NULL, modified INTEGER NOT NULL,
  is_resolved INTEGER NOT NULL DEFAULT 0, is_deleted INTEGER NOT NULL DEFAULT 0, UNIQUE(file, id));
CREATE INDEX comments_newest ON comments(file, modified DESC, pk DESC);
CREATE TABLE replies(
  pk INTEGER PRIMARY KEY, comment INTEGER NOT NULL, id TEXT NOT NULL, author INTEGER NOT NULL, content TEXT, verb TEXT,
  created INTEGER NOT NULL, modified INTEGER NOT NULL, is_deleted INTEGER NOT NULL DEFAULT 0, UNIQUE(comment, id));
CREATE INDEX replies_oldest ON replies(comment, pk);
`
