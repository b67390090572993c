/** Properties that mark the outputs of a rule, written in the transaction of their content. */
import { createHash } from 'node:crypto'
import type { Caller } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import { type VisibleFile, findVisibleFile } from '../access/access.ts'

/** Source of the output, and which of its outputs this is. */
export const MADE = 'hla-made'
/** Id of the output itself, so that a copy by a user is not taken for it. */
export const OWN = 'hla-own'
/** Source revision and command. */
export const DONE = 'hla-done'
/** Digest of the title from the rule: a file renamed by a user keeps its name. */
const NAMED = 'hla-named'

/** Facts shown to users and on the store's page: source, rule, command, and data. */
const FROM = 'hla-from'
const BY = 'hla-by'
const HOW = 'hla-how'
const DATA = 'hla-data'

/** Suffixes of the files that a conversion writes: the table, its failed cells, its provenance. */
export const OUTPUT_SUFFIXES = ['', '.errors.csv', '.hla.json'] as const
export type OutputSuffix = (typeof OUTPUT_SUFFIXES)[number]

/** The table of which an output is made, and the method. */
export interface OutputOf {
  readonly source: string
  readonly method: string
}

export function madeMark({ source, method }: OutputOf, suffix: OutputSuffix): string {
  return `${source} ${method}${suffix}`
}

export function doneMark(revision: string, words: readonly string[]): string {
  return `${revision} ${words.join(' ')}`
}

/** Marks that are shown to users. */
export function shownMarks(rule: string, source: string, words: readonly string[], release: string) {
  return { [FROM]: source, [BY]: `rule ${rule}`, [HOW]: words.join(' '), [DATA]: release }
}

/** Mark of a title given by a rule. */
export function titleMark(title: string): Readonly<Record<typeof NAMED, string>> {
  return { [NAMED]: createHash('sha256').update(title).digest('hex').slice(0, 16) }
}

const IS_MADE = 'SELECT 1 FROM properties WHERE file = ? AND app = 0 AND key = ?'

/** True for an output of a rule, or a copy of one: rules do not convert these. */
export function isRuleOutput(db: Database, file: VisibleFile): boolean {
  return db.get(IS_MADE, file.pk, MADE) !== undefined
}

/** True if the file has this mark. */
export function hasMark(db: Database, file: VisibleFile, key: string, value: string): boolean {
  return db.get(`${IS_MADE} AND value = ?`, file.pk, key, value) !== undefined
}

/** An output outside the trash is newer than one in it. */
const OUTPUTS = `SELECT f.id FROM properties p JOIN files f ON f.pk = p.file
  JOIN properties o ON o.file = f.pk AND o.app = 0 AND o.key = '${OWN}' AND o.value = f.id
  WHERE p.key = '${MADE}' AND p.value = ? AND p.app = 0 ORDER BY f.trashed, f.pk`

/** Output made from a table, whatever its present title and folder, also in the trash. */
export function findOutput(
  db: Database,
  maker: Caller,
  of: OutputOf,
  suffix: OutputSuffix,
): VisibleFile | undefined {
  for (const { id } of db.all<{ id: string }>(OUTPUTS, madeMark(of, suffix))) {
    const file = findVisibleFile(db, maker, id)
    if (file !== undefined) return file
  }
  return undefined
}

/** True for an output that follows the name of its table: no user has renamed or removed it. */
export function isToRename(db: Database, file: VisibleFile, title: string): boolean {
  if (file.title === title || file.trashed === 1) return false
  return hasMark(db, file, NAMED, titleMark(file.title)[NAMED])
}
