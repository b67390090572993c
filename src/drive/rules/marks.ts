/**
 * Properties that mark the outputs of a rule, written in the same request as their content
 * (docs/adr/accounts.md#converted-exactly-once). Pure.
 */
import { createHash } from 'node:crypto'
import type { DriveFile } from '../client/resource.ts'
import type { FolderRule } from './folder-rule.ts'

/** Source of the output, and which of its outputs this is. */
export const MADE = 'hla-made'
/** Id of the output itself, so that a copy by a user is not taken for it. */
const OWN = 'hla-own'
/** Source revision, and digest of the command. */
const DONE = 'hla-done'

/** Facts shown to users and on the store's page: source, rule, command, and data. */
const FROM = 'hla-from'
const BY = 'hla-by'
const HOW = 'hla-how'
const DATA = 'hla-data'

/** Digest of the title from the rule: a file renamed by a user keeps its name. */
const NAMED = 'hla-named'
/** Prefix of properties on the source that reserve an output's id. */
const CLAIM = 'hla-claim-'

export type OutputSuffix = '' | '.errors.csv' | '.hla.json'

/** `template` is that of the outputs' names. */
export function madeMark(source: string, template: string, ending: OutputSuffix): string {
  return `${source} ${digest(`${template}${ending}`, 8)}`
}

export function doneMark(revision: string, command: string): string {
  return `${revision} ${command}`
}

/** Digest of a command line. */
export function commandDigest(words: readonly string[]): string {
  return digest(JSON.stringify(words), 12)
}

export function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length)
}

/** Key of a claim. A copy of the table has another id, and therefore its own claims. */
export function claimKey(source: string, template: string, ending: OutputSuffix): string {
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

/** Marks as public properties. A key and its value have at most 124 bytes together. */
export function formatMarks({ made, own, done }: MarksToWrite): Record<string, string> {
  return { [MADE]: made, [OWN]: own, ...(done === undefined ? {} : { [DONE]: done }) }
}

/** Longest value of a property, in bytes, leaving room for its key. */
const LONGEST = 110

/** Marks of an output that are shown to users. */
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

/** Mark of a title given by a rule. */
export function titleMark(title: string): Record<string, string> {
  return { [NAMED]: digest(title, 16) }
}

/** True when the current title was given by a rule. */
export function isNamedByRule({ title, properties }: DriveFile): boolean {
  return properties[NAMED] === digest(title, 16)
}

/** Search condition for a mark. */
export function markCondition(made: string): string {
  return `properties has { key='${MADE}' and value='${made}' and visibility='PUBLIC' }`
}

/** True for an output of a rule, or a copy of one: rules do not convert these. */
export function isRuleOutput({ properties }: DriveFile): boolean {
  return properties[MADE] !== undefined
}

export function isOriginalOutput({ id, properties }: DriveFile): boolean {
  return properties[OWN] === id
}

export function hasDoneMark({ properties }: DriveFile, done: string): boolean {
  return properties[DONE] === done
}
