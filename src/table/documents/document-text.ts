/** Text of a document, each piece held before the parser gets it, and its bytes again. */
import { advice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import type { DetectedEncoding } from '../input/encoding.ts'
import { serologicTyping } from '../input/records/exchange/source-typing.ts'
import type { RecordInput } from '../input/records/typing-record.ts'
import { foldGlString } from '../../nomenclature/gl-string.ts'
import { compareText } from '../../nomenclature/order.ts'

/** @throws {HlaError} bad-encoding */
export async function* holdPieces({ input, dialect }: RecordInput, held: HeldText): AsyncGenerator<string> {
  const decode = textDecoder(input.name, dialect)
  for await (const bytes of slices(input.chunks())) {
    const piece = decode(bytes)
    held.add(piece)
    yield piece
  }
  const rest = decode()
  held.add(rest)
  yield rest
}

/** Bytes per piece; objects found in large pieces would outlive their use. */
const SLICE = 32 * 1024

async function* slices(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += SLICE) yield chunk.subarray(at, at + SLICE)
}

/** Call without bytes at the end. */
function textDecoder(name: string, { encoding, bom }: DetectedEncoding): (bytes?: Buffer) => string {
  let skip: number = bom
  const decoder = encoding === 'latin1' ? undefined : new TextDecoder(LABELS[encoding], OPTIONS)
  return (bytes) => {
    const own = bytes?.subarray(skip)
    skip = Math.max(0, skip - (bytes?.length ?? 0))
    // TextDecoder's latin1 is windows-1252
    if (decoder === undefined) return own?.toString('latin1') ?? ''
    try {
      return own === undefined ? decoder.decode() : decoder.decode(own, { stream: true })
    } catch (cause) {
      const title = encoding === 'utf8' ? 'UTF-8' : 'UTF-16'
      throw new HlaError('bad-encoding', `${name} contains bytes that are not ${title}`, {
        offending: name,
        hint: advice`${option('encoding')} sets the encoding of the document`,
        cause,
      })
    }
  }
}

const LABELS = { utf8: 'utf-8', utf16le: 'utf-16le', utf16be: 'utf-16be' } as const
const OPTIONS = { fatal: true, ignoreBOM: true }

export interface Edit {
  /** Offsets in characters of the document. */
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Maximum characters between two writable positions; no typing is nearly so long. */
const MAX_HELD = 32 * 1024 * 1024

export class HeldText {
  #text = ''
  #from = 0

  /** Characters written so far. */
  get from(): number {
    return this.#from
  }

  /** Characters of the document so far. */
  get end(): number {
    return this.#from + this.#text.length
  }

  /** @throws {HlaError} io — nothing could be written for too long */
  add(piece: string): void {
    this.#text += piece
    if (this.#text.length <= MAX_HELD) return
    throw new HlaError('io', `a part of the document with typings is longer than ${MAX_HELD} characters`)
  }

  /** @throws {HlaError} io — some of it has been written already */
  slice(start: number, end: number): string {
    if (start >= this.#from) return this.#text.slice(start - this.#from, end - this.#from)
    throw new HlaError('io', 'the document cannot be written back: an attribute of it holds "<"', {
      hint: 'write &lt; in place of "<"',
    })
  }

  /** Last position of `sign` at or after `start`; undefined when there is none. */
  lastPlace(sign: string, start: number): number | undefined {
    const at = this.#text.lastIndexOf(sign)
    return at < 0 || at + this.#from < start ? undefined : at + this.#from
  }

  /** Removes and returns all text before `wanted`, with the edits, which are in document order. */
  take(wanted: number, edits: readonly Edit[]): string {
    const upTo = Math.max(wanted, this.#from)
    const pieces: string[] = []
    let at = this.#from
    for (const { start, end, text } of edits) {
      pieces.push(this.slice(at, start), text)
      at = end
    }
    pieces.push(this.slice(at, upTo))
    this.#text = this.#text.slice(upTo - this.#from)
    this.#from = upTo
    return pieces.join('')
  }
}

/** True for equal alleles, in any order. */
export function isSameTyping(one: string, other: string): boolean {
  if (one === other) return true
  return PARTS.test(one) && one.length === other.length && sorted(one) === sorted(other)
}

function sorted(glString: string): string {
  return foldGlString(glString, {
    typing: (text) => [...new Set(text.split('/'))].toSorted(compareText).join('/'),
    operation: (operator, parts: string[]) =>
      (operator === '~' ? parts : parts.toSorted(compareText)).join(operator),
  })
}

/** True when a part is an antigen rather than an allele name: `A2`, `Cw7`. */
export function isSerologic(glString: string): boolean {
  return partsIn(glString).some((part) => !part.includes('*') && !part.includes(':'))
}

/** Names between the operators. */
export function partsIn(glString: string): readonly string[] {
  return glString.split(PARTS)
}

const PARTS = /[\^|+~?/]/

/** Adds the prefix to a GL String: `A*01:01+A2` -> `HLA-A*01:01+HLA-A2`. */
export function withPrefix(glString: string): string {
  return glString.replaceAll(/[^|+~?/^]+/g, 'HLA-$&')
}

/** Answer for a field of one locus, with star, locus and prefix as in `source`. @throws {HlaError} unfit-answer */
export function spellField(answer: string, locus: string, source: string): string {
  // an answer is spelled like the question
  const parts = answer.replaceAll('HLA-', '').split('/')
  if (/[\^|+~?]/.test(answer))
    throw unwritableAnswer(answer, 'a field holds one typing, but this is at least a genotype')
  const names = parts.map((part) => (part.startsWith(`${locus}*`) ? part.slice(locus.length + 1) : undefined))
  if (names.includes(undefined))
    throw unwritableAnswer(answer, `a field of ${locus} can hold only names of ${locus}`)
  const [, prefix = ''] = /^((?:HLA-)?(?:[A-Za-z][A-Za-z0-9]*)?\*?)/.exec(source) ?? []
  const isNamed = /[A-Za-z]/.test(prefix)
  // a name with a different spelling of the locus keeps its own
  const before = isNamed ? `${prefix.startsWith('HLA-') ? 'HLA-' : ''}${locus}*` : prefix
  return names.map((name = '', at) => (at === 0 || isNamed ? before : '') + name).join('/')
}

/**
 * Answer for a field of antigens; a number where `source` is one. `letters` precede numbers at this locus.
 * @throws {HlaError} unfit-answer
 */
export function spellAntigen(answer: string, letters: string, source: string): string {
  if (PARTS.test(answer)) throw unwritableAnswer(answer, 'a field holds one antigen')
  const number = answer.startsWith(letters) ? answer.slice(letters.length) : answer
  return /^\d+$/.test(source.trim()) && /^\d+$/.test(number) ? number : answer
}

/**
 * Answer for the text of one locus, written as `text` is; undefined keeps it, since the answer is not an antigen.
 * @throws {HlaError} unfit-answer
 */
export function spellTyping(
  answer: string,
  { cell, locus, text }: { readonly cell: string; readonly locus: string; readonly text: string },
): string | undefined {
  if (isSameTyping(answer, cell)) return text
  if (!isSerologic(cell)) return spellField(answer, locus, text.trim())
  return isSerologic(answer)
    ? spellAntigen(answer, serologicTyping(locus, '0').slice(0, -1), text)
    : undefined
}

export function unwritableAnswer(answer: string, why: string): HlaError {
  const shown = answer.length > MAX_SHOWN ? `${answer.slice(0, MAX_SHOWN)}…` : answer
  return new HlaError('unfit-answer', `${shown}: ${why}`, {
    offending: shown,
    hint: advice`without ${option('output-format', 'same')}, the output is a table, which holds every answer`,
  })
}

const MAX_SHOWN = 60
