/** What a donor of an import file is not as Atlas's DonorUpdateFileSchema has it, as far as its versions agree. Pure. */
import type { BrokenRule } from '../../typing-places.ts'
import { atMostLong, brokenRule, ETHNIC_GROUPS, type FieldRule, oneOf } from './field-rules.ts'
import type { Fields } from '../json-fields.ts'

const REQUIRED: readonly (readonly [string, FieldRule])[] = [
  ['changeType', oneOf('D', 'U', 'N', 'NU')],
  ['donorType', oneOf('D', 'C', 'B')],
]

const ETHNIC = oneOf(...ETHNIC_GROUPS)
const LOCI: readonly string[] = ['a', 'b', 'c', 'drb1', 'drb3', 'drb4', 'drb5', 'dqa1', 'dqb1', 'dpa1', 'dpb1'] // prettier-ignore
const LENGTHS = { dna: atMostLong(20), ser: atMostLong(5) }

export interface CheckedDonor {
  readonly fields: Fields
  readonly line: number
  readonly path: string
  /** Fields of an object that was read. */
  readonly inner: (value: unknown) => Fields
}

export function brokenDonorRules({ fields, line, path, inner }: CheckedDonor): readonly BrokenRule[] {
  const broken: BrokenRule[] = []
  const tell = (more: string, value: string, reason: string | undefined) => {
    if (reason !== undefined) broken.push(brokenRule({ line, path: `${path}${more}` }, value, reason))
  }
  for (const [name, rule] of REQUIRED) {
    const text = textOf(fields.get(name.toLowerCase()))
    tell(`/${name}`, text, text === '' ? 'is missing' : rule(text))
  }
  const ethnic = textOf(fields.get('ethn'))
  if (ethnic !== '') tell('/ethn', ethnic, ETHNIC(ethnic))
  const hla = fields.get('hla')
  if (hla === undefined || hla === null) {
    if (fields.get('changetype') !== 'D') tell('/hla', '', 'is missing')
    return broken
  }
  const loci = inner(hla)
  for (const name of loci.names) {
    if (!LOCI.includes(name.replace(/^hla-/, ''))) tell(`/hla/${name}`, '', `is none of ${LOCI.join(' ')}`)
    const value = loci.get(name)
    if (value === null) continue
    const methods = inner(value)
    for (const method of ['dna', 'ser'] as const) {
      const both = methods.get(method)
      if (both === undefined || both === null) continue
      const [first, second] = ['field1', 'field2'].map((field) => textOf(inner(both).get(field)))
      const at = `/hla/${name}/${method}`
      tell(`${at}/field1`, first ?? '', LENGTHS[method](first ?? ''))
      tell(`${at}/field2`, second ?? '', LENGTHS[method](second ?? ''))
      if (first === '' && second !== '') tell(`${at}/field2`, second ?? '', 'stands without field1')
    }
  }
  return broken
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : ''
}
