/** Other readings of a typing that could not be read: each is asked before it is advised. Pure. */
import { advice, command, option } from '../../advice.ts'
import { tidyName } from '../../engine/suggest/tidy.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { readLocus, withoutPrefix } from '../../nomenclature/allele.ts'
import { readNotation } from '../../nomenclature/notation.ts'
import type { Executor } from '../../operations/executor.ts'
import type { Operation } from '../../operations/operation.ts'

export interface Asked {
  readonly operation: Operation
  readonly executor: Executor
  readonly input: Readonly<Record<string, unknown>>
  /** The whole command line. */
  readonly words: readonly string[]
  /** Other typings of it, which need not be asked again. */
  readonly others?: readonly string[]
}

/** Of longer texts nobody wants to read another reading. */
const LONGEST = 200

/** The same error; where a reading is answered, with the command line that asks it. */
export async function withReading(error: HlaError, text: string, asked: Asked): Promise<HlaError> {
  if (text.length > LONGEST) return error
  const reading = await firstAnswered(readings(text, asked.operation.name), (one) => isAnswered(asked, one))
  // the error itself names it
  if (reading === undefined || error.suggestions.includes(reading)) return error
  const { operation, words, others = [] } = asked
  const typed = command(operation.name, {
    args: words
      .slice(1)
      .filter((word) => word === text || !others.includes(word))
      .map((word) => (word === text ? reading : word)),
  })
  const leniencies = await leniencyFor(text, asked)
  const line = advice`did you mean ${typed}?${leniencies === undefined ? '' : advice` ${option('accept', leniencies)} reads it so`}`
  const { code, said, hint, ...details } = error
  return new HlaError(code, said, { ...details, hint: hint === undefined ? line : advice`${hint}\n${line}` })
}

/** One after another: a service is asked no more than is needed. */
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

/** The leniencies by which the text is answered as it stands. */
async function leniencyFor(text: string, asked: Asked): Promise<string | undefined> {
  if (!('accept' in asked.operation.input.properties)) return undefined
  const leniencies = tidyName(text).map((one) => one.leniencies)
  const found = await firstAnswered(
    leniencies,
    async (accept) => accept.length > 0 && (await isAnswered(asked, text, { accept })),
  )
  return found?.join(',')
}

/** Likeliest first. */
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
    // the letter for the digit
    plain.replace(/(?<=[*:\d])o(?=\d)/gi, '0'),
    leafwise(separated(plain)),
    joined(plain),
    `${plain.replace(/:$/, '')}:XX`,
  ]
  return [...new Set(found.flatMap((one) => (one === undefined || one === text ? [] : [one])))]
}

/** A code means something behind a locus and a first field alone. */
function codeReadings(text: string): string[] {
  if (!/^[A-Z]{2,5}$/i.test(text)) return []
  return ['A*01', 'A*02', 'B*07', 'C*07', 'DRB1*04', 'DQB1*03', 'DPB1*04'].map((name) => `${name}:${text.toUpperCase()}`) // prettier-ignore
}

/** Each name as it is written today. */
function leafwise(text: string, isOld = false): string {
  return text.replace(/[^+^|~/]+/g, (leaf) => tidied(leaf, isOld))
}

/** Digits without colons stay in `isOld`, where the release knows what became of such a name. */
function tidied(leaf: string, isOld = false): string {
  // an antigen is not a name that lost its asterisk
  if (/^(?:HLA-)?(?:A|B|C|Bw|Cw|DR|DQ|DPw?)[1-9]\d{0,3}$/.test(leaf)) return leaf
  const dashed = leaf.replace(/^((?:HLA[-_])?[A-Z]{1,3}\d?)-(?=\d)/i, '$1*')
  const names = (readNotation(dashed) ?? dashed).split('~')
  return names.map((name) => (isOld ? name : tidiedName(name))).join('~')
}

/** Three digits in the first field are of few loci: `A*001:01` is meant by nobody. */
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

/** `A*01:01/02` and `A*01:01/02:01`: what is left out is that of the name before. */
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

/** `A*01:01, A*02:01`: two of a locus are a genotype, and loci stand side by side. */
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
