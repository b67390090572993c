/** Records, texts and columns of a match of two persons, for one pair and for tables. */
import { TCE_VERDICTS, type TceComparison } from '../../engine/match/epitopes.ts'
import {
  LOCUS_VERDICTS,
  type LocusMatch,
  type MatchRules,
  type MatchTotal,
  ORDERED_LOCI,
} from '../../engine/match/match.ts'
import { MATCH_LEVELS, NULL_RULES, type ResolvedTyping, type TceVersion } from '../../engine/match/resolve.ts'
import type { Counts, Homozygous } from '../../engine/match/sets.ts'
import type { Note } from '../../errors.ts'
import type { TceGroup } from '../../reference/sources/tce.ts'
import { NOTES_SCHEMA, withNotes } from '../operation.ts'
import { object, type ValueOf } from '../schema.ts'

/** Rules of a comparison. */
export const RULE_PROPERTIES = {
  level: {
    type: 'string',
    enum: MATCH_LEVELS,
    description:
      'names that are compared: P groups (default), G groups, lgx, U2 or W names, split (S) or broad antigens',
  },
  homozygous: {
    type: 'integer',
    minimum: 1,
    maximum: 2,
    description:
      'mismatches of an allele that a person has twice: 2 (default, consensus of 2016) or 1 (of 2010)',
  },
  nulls: {
    type: 'string',
    enum: NULL_RULES,
    description: 'null alleles of a typing that may be an expressed one, too: leave-out (default) or count',
  },
  antigen: {
    type: 'array',
    items: { type: 'string' },
    description: 'loci compared by split antigens, such as A and B for cord blood',
  },
  tce: {
    type: 'integer',
    minimum: 1,
    maximum: 2,
    description: 'version of the T-cell epitope groups of DPB1 (default 2)',
  },
  no_grade: {
    type: 'boolean',
    description: 'do not say whether a mismatch is of antigens or of alleles, which takes longest',
  },
} as const

type RuleInput = Partial<ValueOf<typeof RULES_SCHEMA>>
const RULES_SCHEMA = object([], RULE_PROPERTIES)

/** Rules with their defaults. */
export function readRules({
  level = 'P',
  homozygous = 2,
  nulls = 'leave-out',
  antigen = [],
  tce = 2,
  no_grade: isUngraded = false,
}: RuleInput): MatchRules {
  return {
    level,
    // the schema has checked both numbers
    homozygous: homozygous as Homozygous,
    nulls,
    antigenLoci: antigen,
    tce: tce as TceVersion,
    isGraded: !isUngraded,
  }
}

const RANGE_SCHEMA = { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 } as const
const LOCI_SCHEMA = { type: 'array', items: { type: 'string' } } as const
const GROUPS_SCHEMA = { type: 'array', items: { type: 'integer' } } as const

const COUNTS = {
  matched: { ...RANGE_SCHEMA, description: 'alleles in common, least and most' },
  gvh: { ...RANGE_SCHEMA, description: 'alleles of the patient that the donor lacks (graft-versus-host)' },
  hvg: { ...RANGE_SCHEMA, description: 'alleles of the donor that the patient lacks (host-versus-graft)' },
} as const

const TCE_SCHEMA = object([], {
  verdict: { type: 'string', enum: [...TCE_VERDICTS, 'no-tce'] },
  possible: {
    type: 'array',
    items: { type: 'string', enum: TCE_VERDICTS },
    description: 'verdicts, if several are possible',
  },
  patient: { ...GROUPS_SCHEMA, description: 'groups that the patient may have' },
  donor: { ...GROUPS_SCHEMA, description: 'groups that the donor may have' },
  shown: { type: 'string', description: 'groups as published, where one is 2a: patient, then donor' },
  predicted: { type: 'boolean', description: 'a group rests on a prediction' },
})

export const LOCUS_SCHEMA = object(['locus', 'verdict'], {
  locus: { type: 'string' },
  verdict: { type: 'string', enum: LOCUS_VERDICTS },
  ...COUNTS,
  grade: {
    type: 'string',
    enum: ['antigen', 'allele'],
    description: 'of a mismatch',
  },
  graded_by: {
    type: 'string',
    enum: ['first-field'],
    description: 'where an allele has no antigen: the grade is that of first fields',
  },
  tce: TCE_SCHEMA,
})

export const TOTAL_SCHEMA = object(['of', 'matched', 'gvh', 'hvg', 'untyped'], {
  of: { type: 'integer', description: 'two for each locus of the count that is compared' },
  ...COUNTS,
  untyped: { ...LOCI_SCHEMA, description: 'loci of the count that one of them, or both, has not typed' },
  unread: { ...LOCI_SCHEMA, description: 'loci of the count with a typing that cannot be read' },
})

/** What one typing may be; names are separated by `/`. */
export const PLACE_SCHEMA = object(
  ['typing', 'null', 'first_fields', 'epitopes', 'without_epitope', 'serology'],
  {
    typing: { type: 'string' },
    names: { type: 'string', description: 'expressed alleles at the level; absent where any is possible' },
    null: { type: 'boolean', description: 'it may be a null allele' },
    antigens: { type: 'string', description: 'split antigens; absent where an allele has none' },
    first_fields: { type: 'string' },
    epitopes: { type: 'string', description: 'T-cell epitope groups, as published' },
    without_epitope: { type: 'string', description: 'alleles of DPB1 without such a group' },
    serology: { type: 'boolean', description: 'only antigens are typed' },
    notes: NOTES_SCHEMA,
  },
)

export type PlaceRecord = ValueOf<typeof PLACE_SCHEMA>

export function placeRecord(typing: string, resolved: ResolvedTyping): PlaceRecord {
  const { expressed, nulls, antigens, firstFields, epitopes, withoutEpitope, isSerology, notes } = resolved
  return {
    typing,
    ...(expressed !== undefined && { names: expressed.join('/') }),
    null: nulls.length > 0,
    ...(antigens !== undefined && { antigens: antigens.join('/') }),
    first_fields: firstFields.join('/'),
    epitopes: epitopes.join('/'),
    without_epitope: withoutEpitope.join('/'),
    serology: isSerology,
    ...withNotes(notes),
  }
}

/** Reverses `placeRecord`; null alleles, whose names no comparison needs, have that of the typing. */
export function readPlaceRecord(record: PlaceRecord): ResolvedTyping {
  return {
    expressed: record.names === undefined ? undefined : namesIn(record.names),
    nulls: record.null ? [record.typing] : [],
    antigens: record.antigens === undefined ? undefined : namesIn(record.antigens),
    firstFields: namesIn(record.first_fields),
    // groups of a release, which was read
    epitopes: namesIn(record.epitopes) as TceGroup[],
    withoutEpitope: namesIn(record.without_epitope),
    isSerology: record.serology,
    notes: (record.notes ?? []) as readonly Note[],
  }
}

/** Names separated by `/`. */
export function namesIn(text: string): readonly string[] {
  return text === '' ? [] : text.split('/')
}

export type LocusRecord = ValueOf<typeof LOCUS_SCHEMA>
export type TotalRecord = ValueOf<typeof TOTAL_SCHEMA>

export function locusRecord({
  locus,
  verdict,
  counts,
  grade,
  isGradedByField = false,
  tce,
}: LocusMatch): LocusRecord {
  return {
    locus,
    verdict,
    ...(counts !== undefined && countsRecord(counts)),
    ...(grade !== undefined && { grade }),
    ...(isGradedByField && { graded_by: 'first-field' as const }),
    ...(tce !== undefined && { tce: tce === 'no-tce' ? { verdict: tce } : tceRecord(tce) }),
  }
}

function countsRecord({ matched, gvh, hvg }: Counts) {
  return { matched: [...matched], gvh: [...gvh], hvg: [...hvg] }
}

function tceRecord({ verdicts, patient, donor, isPredicted }: TceComparison): ValueOf<typeof TCE_SCHEMA> {
  const [only, ...others] = verdicts
  const isShown = [...patient, ...donor].includes('2a')
  return {
    ...(others.length === 0 ? { verdict: only } : { possible: verdicts }),
    patient: groupNumbers(patient),
    donor: groupNumbers(donor),
    ...(isShown && { shown: `${patient.join('/')} ${donor.join('/')}` }),
    predicted: isPredicted,
  }
}

/** `2a` counts as 2. */
function groupNumbers(groups: readonly string[]): readonly number[] {
  return [...new Set(groups.map((group) => Number.parseInt(group, 10)))]
}

export function totalRecord({ of, matched, gvh, hvg, untyped, unread }: MatchTotal): TotalRecord {
  return { of, ...countsRecord({ matched, gvh, hvg }), untyped, ...(unread.length > 0 && { unread }) }
}

interface MatchRecord {
  readonly level: string
  readonly count: string
  readonly loci: readonly LocusRecord[]
  readonly total: TotalRecord
}

/** The total, and a line for each locus. */
export function matchText({ loci, total, level, count }: MatchRecord): string {
  const { of, matched, gvh, hvg, untyped, unread = [] } = total
  const without = [
    ...(untyped.length > 0 ? [`not typed: ${untyped.join(', ')}`] : []),
    ...(unread.length > 0 ? [`unread: ${unread.join(', ')}`] : []),
  ]
  const by = [`${count} by ${level}`, ...without].join('; ')
  const head = `${rangeText(matched)} of ${of} match, GvH ${rangeText(gvh)}, HvG ${rangeText(hvg)} (${by})`
  return [head, ...loci.map(locusText)].join('\n')
}

function locusText({ locus, verdict, gvh, hvg, grade, graded_by, tce }: LocusRecord): string {
  const counts =
    gvh === undefined || hvg === undefined ? [] : [`GvH ${rangeText(gvh)}`, `HvG ${rangeText(hvg)}`]
  const gradeText = graded_by === undefined ? grade : `${grade} by first field`
  const epitopes = tce === undefined ? [] : [`TCE ${tceText(tce)}`]
  return [locus, verdict, ...counts, ...(grade === undefined ? [] : [gradeText]), ...epitopes].join('\t')
}

/** `permissive`, or all that are possible. */
export function tceText({ verdict, possible = [] }: NonNullable<LocusRecord['tce']>): string {
  return verdict ?? possible.join('/')
}

export function rangeText([least = 0, most = least]: readonly number[]): string {
  return least === most ? String(least) : `${least}-${most}`
}

/** Loci that have columns where no table says which are typed. */
export const LISTED_LOCI: readonly string[] = ORDERED_LOCI

/** Names of the columns behind those of the two persons. */
export function matchColumns(loci: readonly string[]): readonly string[] {
  const own = loci.flatMap((locus) => [
    `${locus}_verdict`,
    `${locus}_gvh`,
    `${locus}_hvg`,
    ...(locus === 'DPB1' ? ['DPB1_tce'] : []),
  ])
  return ['matched', 'gvh', 'hvg', ...own, 'of', 'untyped', 'unread']
}

export function matchCells(
  { loci, total }: { readonly loci: readonly LocusRecord[]; readonly total: TotalRecord },
  columns: readonly string[],
): readonly string[] {
  const own = columns.flatMap((column) => {
    const { verdict = '', gvh, hvg, tce } = loci.find(({ locus }) => locus === column) ?? {}
    const counts = [gvh, hvg].map((range) => (range === undefined ? '' : rangeText(range)))
    return [verdict, ...counts, ...(column === 'DPB1' ? [tce === undefined ? '' : tceText(tce)] : [])]
  })
  const { matched, gvh, hvg, of, untyped, unread = [] } = total
  return [
    rangeText(matched),
    rangeText(gvh),
    rangeText(hvg),
    ...own,
    String(of),
    untyped.join(' '),
    unread.join(' '),
  ]
}

export const NO_DQB1: Note = {
  level: 'note',
  code: 'count',
  message: 'no pair is typed for DQB1: the total counts A, B, C and DRB1 (8/8)',
}
