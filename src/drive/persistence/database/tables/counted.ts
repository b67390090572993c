/**
 * Bytes that count against a user's quota, for contents, comments and metadata: the triggers that count them, and the
 * queries that verify the sums.
 */

/** Measured bytes of an item besides its texts: its row, index entries, rights and change-log entry. */
const ITEM_BYTES = 1024

/** Bytes of a property or label besides its text. */
const ENTRY_BYTES = 64

const bytesIn = (text: string): string => `coalesce(length(CAST(${text} AS BLOB)), 0)`

/** A title is stored five times, a description also in the word index. */
const itemSql = (row: string): string =>
  `${ITEM_BYTES} + 5 * ${bytesIn(`${row}.title`)} + 2 * ${bytesIn(`${row}.extra`)} + ${bytesIn(`${row}.original_name`)}`

/** Bytes of a new item. No trigger counts them: one statement adds them together with the bytes of its content. */
export function itemBytes(title: string, extra: string, originalName: string | null): number {
  return (
    ITEM_BYTES +
    5 * Buffer.byteLength(title) +
    2 * Buffer.byteLength(extra) +
    Buffer.byteLength(originalName ?? '')
  )
}

/** Data attached to an item, by table. Keys and values are stored in an index as well. */
const HANGING = {
  properties: (row: string) => `${ENTRY_BYTES} + 2 * (${bytesIn(`${row}.key`)} + ${bytesIn(`${row}.value`)})`,
  indexable: (row: string) => `2 * ${bytesIn(`${row}.text`)}`,
  file_labels: (row: string) => `${ENTRY_BYTES} + ${bytesIn(`${row}.fields`)}`,
} as const

type HangingTable = keyof typeof HANGING
const HANGING_TABLES = Object.keys(HANGING) as HangingTable[]

const allOf = (row: string): string =>
  [
    itemSql(row),
    ...HANGING_TABLES.map(
      (table) => `(SELECT coalesce(sum(${HANGING[table]('h')}), 0) FROM ${table} h WHERE h.file = ${row}.pk)`,
    ),
  ].join(' + ')

/** Bytes and their payers, whose sums must equal `principals.metadata`. */
export const DESCRIBED = `SELECT coalesce(f.owner, d.payer) AS payer, ${allOf('f')} AS bytes
  FROM files f LEFT JOIN drives d ON d.root = f.drive`

/** Triggers do the counting, because texts are written and items change owners in many statements. */
export const METADATA_TRIGGERS = `
${itemTriggers()}${driveTriggers()}${HANGING_TABLES.map(hangingTriggers).join('')}`

function addSql(bytes: string, payer: string): string {
  return `UPDATE principals SET metadata = metadata + (${bytes}) WHERE pk = ${payer};`
}

function itemTriggers(): string {
  const payer = (row: string) =>
    `coalesce(${row}.owner, (SELECT payer FROM drives WHERE root = ${row}.drive))`
  const changes = ['owner', 'drive', 'title', 'extra', 'original_name']
  const isChanged = changes.map((column) => `NEW.${column} IS NOT OLD.${column}`).join(' OR ')
  return `CREATE TRIGGER files_described_again AFTER UPDATE OF ${changes.join(', ')} ON files WHEN ${isChanged} BEGIN
  ${addSql(`-(${allOf('OLD')})`, payer('OLD'))} ${addSql(allOf('NEW'), payer('NEW'))} END;
CREATE TRIGGER files_undescribed AFTER DELETE ON files BEGIN ${addSql(`-(${allOf('OLD')})`, payer('OLD'))} END;
`
}

/** A drive is created after its root, and removed after its items. */
function driveTriggers(): string {
  const inDrive = `SELECT coalesce(sum(${allOf('f')}), 0) FROM files f WHERE f.drive = NEW.root`
  return `CREATE TRIGGER drives_described AFTER INSERT ON drives BEGIN ${addSql(`(${inDrive})`, 'NEW.payer')} END;
CREATE TRIGGER drives_described_again AFTER UPDATE OF payer ON drives WHEN NEW.payer IS NOT OLD.payer BEGIN
  ${addSql(`-(${inDrive})`, 'OLD.payer')} ${addSql(`(${inDrive})`, 'NEW.payer')} END;
`
}

function hangingTriggers(table: HangingTable): string {
  const cost = HANGING[table]
  return `CREATE TRIGGER ${table}_described AFTER INSERT ON ${table} BEGIN ${addSql(cost('NEW'), payerSql('NEW'))} END;
CREATE TRIGGER ${table}_described_again AFTER UPDATE ON ${table} BEGIN
  ${addSql(`${cost('NEW')} - (${cost('OLD')})`, payerSql('NEW'))} END;
CREATE TRIGGER ${table}_undescribed AFTER DELETE ON ${table} BEGIN ${addSql(`-(${cost('OLD')})`, payerSql('OLD'))} END;
`
}

/** Triggers, because revisions go in many ways, such as with their file or their user. */
export const CONTENT_TRIGGERS = `
CREATE TRIGGER revisions_gone AFTER DELETE ON revisions ${removeBlob()}
CREATE TRIGGER revisions_replaced AFTER UPDATE OF blob ON revisions ${removeBlob()}
`

/** Removes the content of the old row with its last revision. A file is noted, and removed after the commit. */
function removeBlob(): string {
  return `WHEN NOT EXISTS (SELECT 1 FROM revisions WHERE blob = OLD.blob) BEGIN
  INSERT OR REPLACE INTO removals(sha256, size, payer) SELECT sha256, size, ${payerSql('OLD')} FROM blobs
    WHERE pk = OLD.blob AND kind = 'file';
  DELETE FROM blob_data WHERE blob = OLD.blob;
  DELETE FROM blobs WHERE pk = OLD.blob; END;`
}

/** Payer of the file that a row names. */
function payerSql(row: string): string {
  return `(SELECT coalesce(f.owner, d.payer) FROM files f LEFT JOIN drives d ON d.root = f.drive WHERE f.pk = ${row}.file)`
}

/** Bytes of a comment or reply besides its text. A deleted one still counts them. */
const COMMENT_BYTES = 256

function costSql(table: 'comments' | 'replies', row: string): string {
  const texts = table === 'comments' ? ['content', 'anchor', 'context'] : ['content']
  return [
    `${COMMENT_BYTES}`,
    ...texts.map((text) => `coalesce(length(CAST(${row}.${text} AS BLOB)), 0)`),
  ].join(' + ')
}

const SAID = `SELECT author AS payer, ${costSql('comments', 'comments')} AS bytes FROM comments
  UNION ALL SELECT author, ${costSql('replies', 'replies')} FROM replies`

/** Bytes and their payers, whose sums must equal `principals.used`. */
export const PAID = `SELECT owner AS payer, used AS bytes FROM files WHERE owner IS NOT NULL
  UNION ALL SELECT d.payer, f.used FROM files f JOIN drives d ON d.root = f.drive WHERE d.payer IS NOT NULL
  UNION ALL ${SAID}`

/** Authors pay for comments and replies. Triggers count them, because they are deleted in many ways, such as with their file. */
export const COMMENT_TRIGGERS = `
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
