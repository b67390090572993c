/** What counts against the quota of a user: migrations of their own, and the sums that must hold. */

/** Bytes that a comment or reply takes beside its words; a deleted one keeps them. */
const ROW = 256

function costSql(table: 'comments' | 'replies', row: string): string {
  const texts = table === 'comments' ? ['content', 'anchor', 'context'] : ['content']
  return [`${ROW}`, ...texts.map((text) => `coalesce(length(CAST(${row}.${text} AS BLOB)), 0)`)].join(' + ')
}

const SAID = `SELECT author AS payer, ${costSql('comments', 'comments')} AS bytes FROM comments
  UNION ALL SELECT author, ${costSql('replies', 'replies')} FROM replies`

/** Bytes and who pays for them, as they must add up in `principals.used`. */
export const PAID = `SELECT owner AS payer, used AS bytes FROM files WHERE owner IS NOT NULL
  UNION ALL SELECT d.payer, f.used FROM files f JOIN drives d ON d.root = f.drive WHERE d.payer IS NOT NULL
  UNION ALL ${SAID}`

/**
 * Who made a shared drive pays for what is in it. Of older ones it is whoever has organized it longest, or else, who changed its
 * root last.
 */
export const PAID_DRIVES = `
ALTER TABLE drives ADD COLUMN payer INTEGER;
UPDATE drives SET payer = coalesce(
  (SELECT g.principal FROM grants g JOIN principals p ON p.pk = g.principal WHERE g.item = drives.root AND g.role = 'organizer'
    AND p.kind = 'user' AND p.is_known = 1 ORDER BY g.created, g.principal LIMIT 1),
  (SELECT p.pk FROM files f JOIN principals p ON p.pk = f.modifier WHERE f.pk = drives.root AND p.is_known = 1));
CREATE INDEX drives_paid ON drives(payer);
UPDATE principals SET used = used + (SELECT coalesce(sum(f.used), 0) FROM drives d JOIN files f ON f.drive = d.root
  WHERE d.payer = principals.pk);
`

/** Authors pay for comments and replies. They go in many ways, with their files too: triggers count them. */
export const PAID_COMMENTS = `
UPDATE principals SET used = used + said.bytes FROM (SELECT payer, sum(bytes) AS bytes FROM (${SAID}) GROUP BY payer) said
  WHERE pk = said.payer;
${countSql('comments')}${countSql('replies')}`

function countSql(table: 'comments' | 'replies'): string {
  const [more, less] = [costSql(table, 'NEW'), costSql(table, 'OLD')]
  const columns = table === 'comments' ? 'content, anchor, context' : 'content'
  return `CREATE TRIGGER ${table}_counted AFTER INSERT ON ${table} BEGIN
  UPDATE principals SET used = used + ${more} WHERE pk = NEW.author; END;
CREATE TRIGGER ${table}_counted_again AFTER UPDATE OF ${columns} ON ${table} BEGIN
  UPDATE principals SET used = used + ${more} - (${less}) WHERE pk = NEW.author; END;
CREATE TRIGGER ${table}_uncounted AFTER DELETE ON ${table} BEGIN
  UPDATE principals SET used = used - (${less}) WHERE pk = OLD.author; END;
`
}
