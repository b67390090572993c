/** Finds other readings of an unreadable typing, and tries each before suggesting it. Pure. */
import { advice, command, option } from '../../advice.ts'
import { tidyName } from '../../engine/suggest/tidy.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { readLocus, withoutPrefix } from '../../nomenclature/allele.ts'
import { starHint } from '../../nomenclature/grammar.ts'
import { readNotation } from '../../nomenclature/notation.ts'
import type { Executor } from '../../operations/executor.ts'
import type { Operation } from '../../operations/operation.ts'

export interface Asked {
  readonly operation: Operation
  readonly executor: Executor
  readonly input: Readonly<Record<string, unknown>>
  /** The whole command line. */
  readonly words: readonly string[]
  /** Other typings on the command line, left out of the suggestion. */
  readonly others?: readonly string[]
}

/** Longest text, in characters, for which readings are suggested. */
const LONGEST = 200

/** Returns the same error, with a suggested command line if one of the readings has an answer. */
export async function withReading(error: HlaError, text: string, asked: Asked): Promise<HlaError> {
  if (text.length > LONGEST) return error
  const reading = await firstAnswered(readings(text, asked.operation.name), (one) => isAnswered(asked, one))
  // the error already suggests it
  if (reading === undefined || error.suggestions.includes(reading)) return error
  const { operation, words, others = [] } = asked
  const typed = command(operation.name, {
    args: words
      .slice(1)
      .filter((word) => word === text || !others.includes(word))
      .map((word) => (word === text ? reading : word)),
  })
  const leniencies = await leniencyFor(text, asked)
  const line = advice`did you mean ${typed}?${leniencies === undefined ? '' : advice` ${option('accept', leniencies)} reads it that way`}`
  const { code, said, hint, ...details } = error
  // the line has that name in it
  const isSaid = hint === undefined || reading.split(/[+^|~/]/).some((name) => hint === starHint(name))
  return new HlaError(code, said, { ...details, hint: isSaid ? line : advice`${hint}\n${line}` })
}

/** Tries one at a time, to send a service no more requests than necessary. */
async function firstAnswered<T>(
  all: readonly T[],
  isRight: (one: T) => Promise<boolean>,
): Promise<T | undefined> {
  for (const one of all) if (await isRight(one)) return one
  return undefined
}

async function isAnswered(
  { operation, executor, input }: Asked,
  text: string,
  more: object = {},
): Promise<boolean> {
  try {
    const asked = { ...input, ...more, [operation.subject ?? '']: text }
    const output = await executor.execute(operation.name, asked)
    return operation.isNegative?.(output as never) !== true
  } catch (error) {
    if (isHlaError(error)) return false
    throw error
  }
}

/** Leniencies that make the text readable as it is. */
async function leniencyFor(text: string, asked: Asked): Promise<string | undefined> {
  if (!('accept' in asked.operation.input.properties)) return undefined
  const leniencies = tidyName(text).map((one) => one.leniencies)
  const found = await firstAnswered(
    leniencies,
    async (accept) => accept.length > 0 && (await isAnswered(asked, text, { accept })),
  )
  return found?.join(',')
}

/** Other readings of the text, likeliest first. */
function readings(text: string, operation: string): readonly string[] {
  const plain = text.normalize('NFKC').trim().replace(/^["'`\u2018-\u201f]+|["'`\u2018-\u201f]+$/g, '').replace(/^[-+^|~/]+|[-+^|~/]+$/g, '') // prettier-ignore
  const found = [
    ...(operation === 'mac' ? codeReadings(plain) : []),
    plain,
    leafwise(plain),
    leafwise(plain, true),
    leafwise(withLoci(plain)),
    haplotype(plain),
    antigen(plain),
    // letter o for the digit 0
    plain.replace(/(?<=[*:\d])o(?=\d)/gi, '0'),
    leafwise(separated(plain)),
    joined(plain),
    `${plain.replace(/:$/, '')}:XX`,
  ]
  return [...new Set(found.flatMap((one) => (one === undefined || one === text ? [] : [one])))]
}

/** A code is meaningful only after a locus and a first field. */
function codeReadings(text: string): string[] {
  if (!/^[A-Z]{2,5}$/i.test(text)) return []
  return ['A*01', 'A*02', 'B*07', 'C*07', 'DRB1*04', 'DQB1*03', 'DPB1*04'].map((name) => `${name}:${text.toUpperCase()}`) // prettier-ignore
}

/** Rewrites each name in today's notation. */
function leafwise(text: string, isOld = false): string {
  return text.replace(/[^+^|~/]+/g, (leaf) => tidied(leaf, isOld))
}

/** `isOld` keeps digits without colons, since the release knows the successors of such names. */
function tidied(leaf: string, isOld = false): string {
  // an antigen is not a name without its asterisk
  if (/^(?:HLA-)?(?:A|B|C|Bw|Cw|DR|DQ|DPw?)[1-9]\d{0,3}$/.test(leaf)) return leaf
  const dashed = leaf.replace(/^((?:HLA[-_])?[A-Z]{1,3}\d?)-(?=\d)/i, '$1*')
  const names = (readNotation(dashed) ?? dashed).split('~')
  return names.map((name) => (isOld ? name : tidiedName(name))).join('~')
}

/** Skips readings with three digits in the first field, which few loci have: `A*001:01` is unlikely. */
function tidiedName(name: string): string {
  return tidyName(name).find((one) => !/\*0\d\d\b/.test(one.name))?.name ?? name
}

/** `A*02.01`, `A*02_01`, `A*02;01` */
function separated(text: string): string {
  return text.replace(/(?<=\d)[.;,_ -]+(?=\d)/g, ':')
}

/** `DQA1*05:01-DQB1*02:01` */
function haplotype(text: string): string {
  return leafwise(text.replace(/(?<=\w)-(?=(?:HLA-)?D[RPQ]B\d\*?\d)/gi, '~'))
}

/** Completes `A*01:01/02` and `A*01:01/02:01` from the preceding name. */
function withLoci(text: string): string {
  let before = ''
  return text.replace(/[^+^|~/]+/g, (leaf) => {
    const [, locus = '', field = ''] = /^(.*\*)(\w+)/.exec(before) ?? []
    const whole = /^\d+[A-Z]?$/.test(leaf) ? `${locus}${field}:${leaf}` : /^\d/.test(leaf) ? `${locus}${leaf}` : leaf // prettier-ignore
    before = whole
    return whole
  })
}

/** `a2`, `CW7` */
function antigen(text: string): string | undefined {
  const [, letters = '', number = ''] = /^(?:hla-)?(a|b|bw|cw|dr|dq|dpw?)(\d{1,4})$/i.exec(text) ?? []
  return number === '' ? undefined : `${letters.toUpperCase().replace('W', 'w')}${number}`
}

/** `A*01:01, A*02:01`: joins two names of a locus to a genotype, and loci with `^`. */
function joined(text: string): string | undefined {
  const names = text.split(/(?:\s*[,;&]\s*|\s+(?:and\s+|or\s+)?)/).map((name) => tidied(name))
  const loci = new Map<string, string[]>()
  for (const name of names) {
    const locus = readLocus(withoutPrefix(name))
    loci.set(locus, [...(loci.get(locus) ?? []), name])
  }
  const groups = [...loci.values()]
  if (names.length < 2 || groups.some((group) => group.length > 2)) return undefined
  return groups.map((group) => group.join('+')).join('^')
}
