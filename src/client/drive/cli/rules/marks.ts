/** Properties that a rule writes on the files it makes, in one request with their content (docs/adr/accounts.md#converted-exactly-once). Pure. */
import { createHash } from 'node:crypto'
import type { DriveFile } from '../../resource.ts'
import type { FolderRule } from './folder-rule.ts'

/** What it was made from, and which of the files that are made from it. */
export const MADE = 'hla-made'
/** Its own id: a copy is made by somebody else. */
const OWN = 'hla-own'
/** The revision that it was made from, and by which command. */
const DONE = 'hla-done'

/** For people, and for the page of the store: what it was made from, by whom, how, and from which data. */
const FROM = 'hla-from'
const BY = 'hla-by'
const HOW = 'hla-how'
const DATA = 'hla-data'

/** Digest of the title that a rule gave it: a file that somebody has renamed keeps its name. */
const NAMED = 'hla-named'
/** On what it is made from: the id that it will have. */
const CLAIM = 'hla-claim-'

export type Ending = '' | '.errors.csv' | '.hla.json'

/** `template`: of the names of outputs. */
export function madeMark(source: string, template: string, ending: Ending): string {
  return `${source} ${digest(`${template}${ending}`, 8)}`
}

export function doneMark(revision: string, command: string): string {
  return `${revision} ${command}`
}

/** Of the words of a command line. */
export function commandDigest(words: readonly string[]): string {
  return digest(JSON.stringify(words), 12)
}

export function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length)
}

/** A copy of the table has another id, and claims of its own. */
export function claimKey(source: string, template: string, ending: Ending): string {
  return `${CLAIM}${digest(madeMark(source, template, ending), 12)}`
}

export function isClaimKey(key: string): boolean {
  return key.startsWith(CLAIM)
}

export interface MarksToWrite {
  readonly made: string
  readonly own: string
  readonly done?: string
}

/** As public properties. A key and its value together have at most 124 bytes. */
export function formatMarks({ made, own, done }: MarksToWrite): Record<string, string> {
  return { [MADE]: made, [OWN]: own, ...(done === undefined ? {} : { [DONE]: done }) }
}

/** Bytes of the longest text that a property holds with its key. */
const LONGEST = 110

/** Of an output, as people are shown it. */
export function shownMarks(
  source: string,
  { words, rule, release }: Pick<FolderRule, 'words' | 'rule'> & { readonly release: string },
): Record<string, string> {
  const how = words.join(' ')
  const isShort = Buffer.byteLength(how) <= LONGEST
  return {
    [FROM]: source,
    [BY]: `rule ${rule}`,
    [HOW]: isShort ? how : `${words[0] ?? ''} …`,
    [DATA]: release,
  }
}

/** Of a file that a rule gives this title. */
export function namedMark(title: string): Record<string, string> {
  return { [NAMED]: digest(title, 16) }
}

/** Whether its title is one that a rule gave it. */
export function isNamedByRule({ title, properties }: DriveFile): boolean {
  return properties[NAMED] === digest(title, 16)
}

/** For a search. */
export function withMark(made: string): string {
  return `properties has { key='${MADE}' and value='${made}' and visibility='PUBLIC' }`
}

/** Whether a rule made it, or it is a copy of such a file: nothing to convert. */
export function isMade({ properties }: DriveFile): boolean {
  return properties[MADE] !== undefined
}

export function isOwn({ id, properties }: DriveFile): boolean {
  return properties[OWN] === id
}

export function isDone({ properties }: DriveFile, done: string): boolean {
  return properties[DONE] === done
}
