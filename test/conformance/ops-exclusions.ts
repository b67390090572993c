/** Why a recorded answer of the peer to an operation may differ from ours. Every id has a row in docs/divergences.md. */
import { withoutPrefix } from '../../src/nomenclature/allele.ts'
import type { Comparison } from './comparison.ts'

export interface OpsExclusion {
  readonly id: string
  /** Numbers of peer-quirks.md, where it has one. */
  readonly reason: string
  readonly ops: readonly string[]
  readonly applies: (comparison: Comparison) => boolean
}

export const OPS_EXCLUSIONS: readonly OpsExclusion[] = [
  {
    id: 'foreign-characters',
    reason: 'B12: letters and digits of other scripts are accepted by the peer, or taken for old names',
    ops: ['validate', 'cwd', 'v2-to-v3'],
    applies: ({ row }) => row.status === 'ok' && /[^\x20-\x7e]/.test(row.input),
  },
  {
    id: 'before-2002',
    reason:
      'five and seven digits are names from before 2002, or lost their colons; the peer knows the latter of five alone',
    ops: ['v2-to-v3', 'validate', 'cwd'],
    applies: ({ row, ours }) => ours.status === 'ok' && /\*\d{5}(?:\d\d)?[A-Z]?(?:$|[/|+^~])/.test(row.input),
  },
  {
    id: 'field-of-zeros',
    reason: 'a field of zeros names nothing; the peer accepts any third field',
    ops: ['validate', 'cwd', 'similar'],
    applies: ({ row, ours }) => ours.status === 'error' && /:0+(?:$|[:/|+^~])/.test(row.input),
  },
  {
    id: 'codes-need-a-locus',
    reason: 'B2, B3: the peer answers codes without a locus or behind one that does not exist',
    ops: ['mac-expand', 'cwd', 'validate', 'similar'],
    applies: ({ row, ours, engine }) =>
      row.status === 'ok' &&
      (ours.status === 'error' || ours.text === '') &&
      row.input.split(/[/|+^~]/).some((leaf) => isCodeWithoutLocus(leaf, engine.release.facts.loci)),
  },
  {
    id: 'code-alone',
    reason:
      'the peer expands a code with an operator or a second prefix before it, as if those were its locus',
    ops: ['mac-expand'],
    applies: ({ row, ours }) =>
      row.status === 'ok' && ours.status === 'error' && /^(?:[/|+^~]|HLA-HLA-)/.test(row.input),
  },
  {
    id: 'own-names',
    reason: 'A5-A7: without validation the peer refuses group names that it answers with; we know them',
    ops: ['validate'],
    applies: ({ row, ours, engine: { release } }) =>
      row.status === 'error' &&
      ours.status === 'ok' &&
      row.config.includes('"strict": false') &&
      row.input.split(/[/|+^~]/).some((leaf) => {
        const name = withoutPrefix(leaf)
        return release.is('reduced', name) || release.is('gGroup', name) || release.is('pGroup', name)
      }),
  },
  {
    id: 'mac-main-first-field',
    reason:
      'A38: the peer files a code with first fields of its own under the lowest, and calls the result invalid',
    ops: ['mac-lookup'],
    applies: ({ row, ours }) =>
      row.status === 'ok' &&
      ours.status === 'ok' &&
      codeOf(row.output) === codeOf(ours.text) &&
      new Set(row.input.split('/').map((leaf) => leaf.split(':')[0])).size > 1,
  },
  {
    id: 'cwd-antigens',
    reason:
      'the peer compares the antigen with the locus of its alleles and keeps nothing; we keep those alleles',
    ops: ['cwd'],
    applies: ({ row, ours }) => row.output === '' && ours.status === 'ok' && /^[A-Z]+w?\d+$/.test(row.input),
  },
  {
    id: 'similar-case',
    reason: 'D3: names found are written in capitals, and HLA- is understood in any case',
    ops: ['similar'],
    applies: ({ row, ours }) =>
      ours.status === 'ok' &&
      /[a-z]/.test(row.input) &&
      (ours.text === row.output.toUpperCase() || /^hla-/i.test(row.input)),
  },
  {
    id: 'similar-literal',
    reason: 'D2: % and _ mean themselves',
    ops: ['similar'],
    applies: ({ row, ours }) => ours.status === 'ok' && ours.text === '' && /[%_]/.test(row.input),
  },
]

function isCodeWithoutLocus(leaf: string, loci: readonly string[]): boolean {
  const [, before] = /^(?:HLA-)?([^:]*):[A-Za-z]+$/.exec(leaf) ?? []
  if (before === undefined) return false
  const [locus = '', field = ''] = before.split('*')
  return !before.includes('*') || field === '' || !loci.includes(locus) || before.split('*').length > 2
}

function codeOf(text: string): string {
  return text.slice(text.indexOf(':') + 1)
}
