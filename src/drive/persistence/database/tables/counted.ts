/** Bytes that count against the quota of a user, of contents, comments and metadata: the triggers that count, and what the sums must be. */

/** What an item takes beside its texts, as it was measured: its row, its places in indexes, its rights and its entry in the change log. */
const ITEM = 1024

/** What a property or a label takes beside its text. */
const ENTRY = 64

const bytesIn = (text: string): string => `coalesce(length(CAST(${text} AS BLOB)), 0)`

/** A title stands in five places, a description in the words too. */
const itemSql = (row: string): string =>
  `${ITEM} + 5 * ${bytesIn(`${row}.title`)} + 2 * ${bytesIn(`${row}.extra`)} + ${bytesIn(`${row}.original_name`)}`

/** As it is counted of a new item, for which no trigger does it: it is added with what the content takes, in one statement. */
export function itemBytes(title: string, extra: string, originalName: string | null): number {
  return (
    ITEM + 5 * Buffer.byteLength(title) + 2 * Buffer.byteLength(extra) + Buffer.byteLength(originalName ?? '')
  )
}

/** What hangs on an item, by its table; a key and its value are in an index as well. */
const HANGING = {
  properties: (row: string) => `${ENTRY} + 2 * (${bytesIn(`${row}.key`)} + ${bytesIn(`${row}.value`)})`,
  indexable: (row: string) => `2 * ${bytesIn(`${row}.text`)}`,
  file_labels: (row: string) => `${ENTRY} + ${bytesIn(`${row}.fields`)}`,
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

/** Bytes and who pays for them, as they must add up in `principals.metadata`. */
export const DESCRIBED = `SELECT coalesce(f.owner, d.payer) AS payer, ${allOf('f')} AS bytes
  FROM files f LEFT JOIN drives d ON d.root = f.drive`

/** Texts are written in many places, and items change hands in many ways: triggers count. */
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

/** A drive is made after its root, and removed after what was in it. */
function driveTriggers(): string {
  const inDrive = `SELECT coalesce(sum(${allOf('f')}), 0) FROM files f WHERE f.drive = NEW.root`
  return `CREATE TRIGGER drives_described AFTER INSERT ON drives BEGIN ${addSql(`(${inDrive})`, 'NEW.payer')} END;
CREATE TRIGGER drives_described_again AFTER UPDATE OF payer ON drives WHEN NEW.payer IS NOT OLD.payer BEGIN
  ${addSql(`-(${inDrive})`, 'OLD.payer')} ${addSql(`(${inDrive})`, 'NEW.payer')} END;
`
}

function hangingTriggers(table: HangingTable): string {
  const cost = HANGING[table]
  const payer = (row: string) =>
    `(SELECT coalesce(f.owner, d.payer) FROM files f LEFT JOIN drives d ON d.root = f.drive WHERE f.pk = ${row}.file)`
  return `CREATE TRIGGER ${table}_described AFTER INSERT ON ${table} BEGIN ${addSql(cost('NEW'), payer('NEW'))} END;
CREATE TRIGGER ${table}_described_again AFTER UPDATE ON ${table} BEGIN
  ${addSql(`${cost('NEW')} - (${cost('OLD')})`, payer('NEW'))} END;
CREATE TRIGGER ${table}_undescribed AFTER DELETE ON ${table} BEGIN ${addSql(`-(${cost('OLD')})`, payer('OLD'))} END;
`
}

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

/** Authors pay for comments and replies. They go in many ways, with their files too: triggers count them. */
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
