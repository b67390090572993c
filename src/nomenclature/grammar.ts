/** Form of a GL String leaf, independent of the release. */
import { type Advice, advice, clause, command } from '../advice.ts'
import { HlaError, type ErrorCode } from '../errors.ts'
import { hasPrefix, insertStar, readLocus, withoutPrefix } from './allele.ts'
import { recognizeLine } from './document-format.ts'
import { formatCount } from '../format-count.ts'

/** Malformation of a leaf; offsets are relative to the leaf. */
export interface Malformation {
  readonly code: Extract<ErrorCode, 'empty-part' | 'bad-character' | 'bad-syntax'>
  readonly message: string
  readonly start: number
  readonly end: number
  readonly hint?: Advice
}

/** Maximum length in characters, thirty times that of the longest name; longer text is not looked up. */
export const MAX_NAME_LENGTH = 1000

const WELL_FORMED = /^(?:[A-Z][A-Z0-9]*\*[A-Za-z0-9]+(?::[A-Za-z0-9]+)*|[A-Z]+[a-z]?\d+(?:\(w?\d+\))?)$/
const FOREIGN = /[^A-Za-z0-9*:]/u

/** undefined for a well-formed leaf: a name with locus and fields, or an antigen. */
export function findMalformation(leaf: string): Malformation | undefined {
  const name = withoutPrefix(leaf)
  const isLong = leaf.length > MAX_NAME_LENGTH
  if (!isLong && WELL_FORMED.test(name)) return undefined
  const at = leaf.length - name.length
  return (
    emptyLeaf(leaf, name) ??
    documentFormat(leaf) ??
    foreignCharacter(leaf, name) ??
    (isLong ? longName(leaf) : wrongSyntax(name, at))
  )
}

function longName({ length }: string): Malformation {
  const count = formatCount(length)
  return bad(`a name of ${count} characters; none has more than ${MAX_NAME_LENGTH}`, 0, length, JOINED)
}

/** The malformation as an error; `start` is the leaf's offset in the whole text. */
export function malformedError(
  { code, message, hint, ...at }: Malformation,
  leaf: string,
  start: number,
): HlaError {
  const offending = leaf.slice(at.start, at.end)
  const position = [start + at.start, start + at.end] as const
  return new HlaError(
    code,
    message,
    hint === undefined ? { offending, position } : { offending, position, hint },
  )
}

function emptyLeaf(leaf: string, name: string): Malformation | undefined {
  if (leaf === '')
    return { code: 'empty-part', message: 'a part of the GL String is empty', start: 0, end: 0 }
  if (name === '') return bad('nothing after HLA-', 0, leaf.length)
  return undefined
}

/** The first part of a line of XML or JSON identifies the file's format. */
function documentFormat(leaf: string): Malformation | undefined {
  const format = recognizeLine(leaf)
  if (format === undefined) return undefined
  const hint =
    format === 'JSON'
      ? 'write the GL String without quotes and braces'
      : 'in HML the GL Strings are the texts of its glstring elements'
  const message = `this is ${format}, not a GL String`
  return { code: 'bad-character', message, start: 0, end: leaf.length, hint }
}

function foreignCharacter(leaf: string, name: string): Malformation | undefined {
  const found = FOREIGN.exec(name)
  if (found === null) return undefined
  const [character] = found
  const start = leaf.length - name.length + found.index
  if (/\s/u.test(character)) {
    const hint = hintOnSpace(leaf)
    return {
      code: 'bad-character',
      message: 'a name cannot contain white space',
      start: 0,
      end: leaf.length,
      ...(hint === undefined ? {} : { hint }),
    }
  }
  const message = `a name cannot contain ${showCharacter(character)}`
  const hint = /[,;%]/.test(character) ? JOINED : (hintOnHaplotype(leaf) ?? hintOnForms(leaf, character))
  const end = start + character.length
  return { code: 'bad-character', message, start, end, ...(hint === undefined ? {} : { hint }) }
}

/** `DQA1*05:01-DQB1*02:01`, a common way to write a haplotype of two genes. */
function hintOnHaplotype(leaf: string): Advice | undefined {
  const genes = leaf.length > MAX_NAME_LENGTH ? [] : leaf.split('-')
  const names = hasPrefix(leaf) ? [] : genes
  if (names.length < 2 || !names.every((name) => name.includes('*') && WELL_FORMED.test(name)))
    return undefined
  // a chromosome has one copy of a gene
  if (new Set(names.map(readLocus)).size < names.length) return JOINED
  return `"~" joins genes of one chromosome: ${names.join('~')}`
}

/** Full-width letters and digits of East Asian keyboards, or superscripts: https://unicode.org/reports/tr15/ */
function hintOnForms(leaf: string, character: string): Advice | undefined {
  if (leaf.length > MAX_NAME_LENGTH || character.normalize('NFKC') === character) return undefined
  const ordinary = leaf.normalize('NFKC')
  if (/[,;%]/.test(ordinary)) return JOINED
  return UNUSUAL.test(ordinary) ? undefined : `in ordinary letters and digits: ${ordinary}`
}

/** Any character that occurs neither in names nor between them. */
const UNUSUAL = /[^A-Za-z0-9*:/+^|~-]/

/** Code point of invisible characters (direction marks, zero-width spaces), else the character quoted. */
export function showCharacter(character: string): string {
  if (!/\p{Cf}/u.test(character)) return JSON.stringify(character)
  return `U+${Number(character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}, which is not visible`
}

/** Hint for characters that separate columns or list items. */
const JOINED = advice`names are joined with "/" (or), "+" (the two copies) and "^" (loci)${clause`; for tables, see ${command('help tables')}`}`

/** undefined where one name is left without the space. */
function hintOnSpace(leaf: string): Advice | undefined {
  const text = leaf.replaceAll(/\s/gu, '')
  const isSplit = /\d\s+\d/u.test(leaf) || (/\S\s+\S/u.test(leaf) && !WELL_FORMED.test(withoutPrefix(text)))
  return isSplit ? JOINED : undefined
}

function wrongSyntax(name: string, at: number): Malformation {
  const end = at + name.length
  const star = name.indexOf('*')
  const second = name.indexOf('*', star + 1)
  if (second > star) return bad('a name has only one "*"', at + second, at + second + 1)
  if (star === 0 || (star === -1 && /^[\d:]/.test(name)))
    return bad(`locus missing in "${name}"`, at, end, 'every allele needs its locus')
  if (star === -1 && name.includes(':')) {
    const starred = insertStar(name)
    const hint = starred === name ? undefined : starHint(starred)
    return bad(`no "*" between locus and fields in "${name}"`, at, end, hint)
  }
  if (name.startsWith('Cw*')) return bad('the locus Cw has been called C since 2010', at, at + star)
  if (/[a-z]/.test(name.slice(0, Math.max(star, 0))))
    return bad(`loci are written in capitals, not "${name.slice(0, star)}"`, at, at + star)
  const fields = name.slice(star + 1).split(':')
  if (fields.includes('')) return bad(`a field is empty in "${name}"`, at, end)
  const hint = HOMOZYGOUS.test(name) ? COPY : undefined
  return bad(`"${name}" is not an allele, group, MAC, XX code or antigen`, at, end, hint)
}

const HOMOZYGOUS = /^(?:hom|homo|homoz|homozyg[a-z]{0,6})$/i
const COPY = 'a homozygous person has the same allele twice: A*01:01+A*01:01'

/** Hint for a name without its asterisk. */
export function starHint(name: string): string {
  return `did you mean ${name}?`
}

function bad(message: string, start: number, end: number, hint?: Advice): Malformation {
  const shown = message.length > 160 ? `${message.slice(0, 160)}…"` : message
  return { code: 'bad-syntax', message: shown, start, end, ...(hint === undefined ? {} : { hint }) }
}
