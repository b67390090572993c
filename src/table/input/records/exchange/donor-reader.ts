/** A donor of a JSON document as typing records. */
import type { HlaError } from '../../../../errors.ts'
import { personSet } from '../gathering/person-set.ts'
import { asFields } from '../programs/json-records.ts'
import type { TypingRecord } from '../typing-record.ts'
import { atPlace, tableText } from './document-source.ts'
import type { JsonFrame } from './json-frames.ts'
import { bareLocus, dnaTyping, serologicTyping } from './source-typing.ts'

/** Adult, cord, banked. */
const DONOR_TYPES: readonly string[] = ['D', 'C', 'B']

export interface DonorReader {
  readonly read: (frame: JsonFrame) => readonly TypingRecord[]
  /** `outside`: the document without its donors. @throws {HlaError} io — it is no JSON */
  readonly finish: (outside: string) => void
}

export function donorReader(name: string): DonorReader {
  const known = personSet()
  let count = 0
  return {
    read(frame) {
      count += 1
      const place = (more: string) => `/donors[${count}]${more}`
      const refuse = (reason: string, more = '') => atPlace(frame.line, place(more), reason)
      const fields = readFields(frame, refuse)
      const id = fields.get('recordid')
      // a number that is not kept exactly is the name of somebody else
      if (typeof id === 'number' && !Number.isSafeInteger(id))
        throw refuse('recordId is no whole number that can be kept exactly: write it as a text')
      if ((typeof id !== 'string' && typeof id !== 'number') || `${id}`.trim() === '')
        throw refuse('the donor has no recordId')
      const person = tableText(`${id}`.trim())
      if (!known.add(person)) throw refuse(`donor ${JSON.stringify(`${id}`.slice(0, 60))} is there twice`)
      const donorType = textIn(fields.get('donortype'))
      if (donorType !== '' && !DONOR_TYPES.includes(donorType.toUpperCase()))
        throw refuse(
          `donorType ${JSON.stringify(donorType.slice(0, 60))} is none of ${DONOR_TYPES.join(' ')}`,
        )
      const values = [textIn(fields.get('changetype')), donorType].map(tableText)
      const of = { person, values, line: frame.line }
      const records = lociRecords(fields.get('hla'), frame, refuse).map(({ path, ...one }) => ({
        ...of,
        ...one,
        path: place(path),
      }))
      if (records.length > 0) return records
      return [{ ...of, locus: '', typing: '', slot: undefined, path: place('') }]
    },
    finish(outside) {
      try {
        JSON.parse(outside)
      } catch (cause) {
        throw atPlace(1, '', `${name} is not valid JSON around its donors: ${(cause as Error).message}`)
      }
    },
  }
}

type Refuse = (reason: string, more?: string) => HlaError

type OfLocus = Pick<TypingRecord, 'locus' | 'typing' | 'slot' | 'line'> & { readonly path: string }

function lociRecords(hla: unknown, frame: JsonFrame, refuse: Refuse): OfLocus[] {
  if (hla === undefined || hla === null) return []
  const loci = folded(hla, refuse, '/hla')
  const lineAt = lineFinder(frame)
  return [...loci].flatMap(([name, value]) => {
    if (value === null) return []
    const path = `/hla/${name}`
    const fields = folded(value, refuse, path)
    const locus = bareLocus(name)
    const dna = bothFields(fields.get('dna'), refuse, `${path}/dna`)
    const isDna = dna.some((one) => one !== '')
    const both = isDna ? dna : bothFields(fields.get('ser'), refuse, `${path}/ser`)
    return both.map((text, at) => ({
      locus: tableText(locus),
      typing: tableText(isDna ? dnaTyping(locus, text) : serologicTyping(locus, text)),
      slot: at === 0 ? 1 : 2,
      line: lineAt(text),
      path: `${path}/${isDna ? 'dna' : 'ser'}/field${at + 1}`,
    }))
  })
}

function bothFields(value: unknown, refuse: Refuse, path: string): readonly [string, string] {
  if (value === undefined || value === null) return ['', '']
  const fields = folded(value, refuse, path)
  const field = (name: string) => {
    const one = fields.get(name)
    if (one === undefined || one === null) return ''
    if (typeof one === 'string' || typeof one === 'number') return `${one}`.trim()
    throw refuse('a typing is a text', `${path}/${name}`)
  }
  return [field('field1'), field('field2')]
}

function readFields({ text, names }: JsonFrame, refuse: Refuse): ReadonlyMap<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw refuse(`it is not valid JSON: ${(error as Error).message}`)
  }
  // of two fields of one name the parser keeps the last
  if (countNames(parsed) !== names) throw refuse('two fields of one object have the same name')
  return folded(parsed, refuse, '')
}

/** By lower-case names. @throws {HlaError} io — it is no object, or two names differ in case alone */
function folded(value: unknown, refuse: Refuse, path: string): ReadonlyMap<string, unknown> {
  const fields = asFields(value)
  if (fields === undefined) throw refuse('an object is expected', path)
  const found = new Map<string, unknown>()
  for (const [name, one] of Object.entries(fields)) {
    const lower = name.toLowerCase()
    if (found.has(lower)) throw refuse(`${JSON.stringify(name.slice(0, 60))} is there twice`, path)
    found.set(lower, one)
  }
  return found
}

/** The frame is of bounded depth. */
function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value).reduce((sum: number, one: unknown) => sum + countNames(one), 0)
  return Array.isArray(value) ? inner : inner + Object.keys(value).length
}

function textIn(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : ''
}

/** Typings stand in the order of the document; what is written with escapes is told as at the line before. */
function lineFinder({ text, line }: JsonFrame): (typing: string) => number {
  let [from, at] = [0, line]
  return (typing) => {
    const found = typing === '' ? -1 : text.indexOf(`"${typing}"`, from)
    if (found < 0) return at
    for (let feed = text.indexOf('\n', from); feed >= 0 && feed < found; feed = text.indexOf('\n', feed + 1))
      at += 1
    from = found + 1
    return at
  }
}
