/** Histories for tests: a small one with real cases, and the full one from the published lists. */
import { readFileSync, readdirSync } from 'node:fs'
import { encodeHistory, readHistory, parseCodeRelease } from '../../src/reference/history/history.ts'
import type { Deletion, History, ReleaseList } from '../../src/reference/history/history.ts'
import { parseAlleleList } from '../../src/reference/sources/allele-list.ts'
import { parseDeletedAlleles } from '../../src/reference/history/history-files.ts'
import { madeOnce } from './made-once.ts'
import { readTexts, releasesOfToday } from './releases.ts'
import { sharedPath } from './shared.ts'

const LATEST = ['upstream', 'IMGTHLA', 'Latest'] as const

/** One release's list from `{ HLA00001: 'A*01:01' }`. */
export function listOf(release: string, names: Readonly<Record<string, string>>): ReleaseList {
  return { release, rows: Object.entries(names) }
}

export const SMALL_LISTS: readonly ReleaseList[] = [
  listOf('3.9.0', { HLA00001: 'A*01:01', HLA00004: 'A*01:04N', HLA00010: 'A*02:09', HLA00020: 'A*30:100', HLA00080: 'MICA*001' }),
  listOf('3.10.0', {
    HLA00001: 'A*01:01:01', HLA00002: 'A*01:01:02', HLA00004: 'A*01:04N', HLA00010: 'A*02:09', HLA00020: 'A*30:02:12',
    HLA00030: 'C*03:99:01', HLA00031: 'C*03:99:02', HLA00040: 'B*07:08:01', HLA00041: 'B*07:08:02', HLA00050: 'A*24:329',
    HLA00060: 'A*03:01', HLA00070: 'A*03:07',
  }),
  listOf('3.11.0', {
    HLA00001: 'A*01:01:01:01', HLA00002: 'A*01:01:02', HLA00004: 'A*01:04:01:01N', HLA00020: 'A*30:100', HLA00021: 'A*30:101',
    HLA00030: 'C*01:169:01', HLA00031: 'C*01:169:02', HLA00040: 'B*07:90', HLA00041: 'B*07:91', HLA00050: 'A*24:329Q',
    HLA00060: 'A*03:01:01',
  }),
  listOf('3.12.0', {
    HLA00001: 'A*01:01:01:01', HLA00002: 'A*01:09', HLA00004: 'A*01:04:01:01N', HLA00020: 'A*30:02:12', HLA00022: 'A*30:100',
    HLA00030: 'C*01:169:01', HLA00031: 'C*01:169:02', HLA00040: 'B*07:90', HLA00041: 'B*07:91', HLA00050: 'A*24:329Q',
    HLA00060: 'A*03:01:01:01', HLA00080: 'MICA*001:01',
  }),
] // prettier-ignore

export const SMALL_DELETIONS: readonly Deletion[] = [
  { accession: 'HLA00050', name: 'A*24:329', description: 'Sequence renamed A*24:329Q (October 2019)' },
  {
    accession: 'HLA00010',
    name: 'A*02:09',
    description: 'Sequence shown to be identical to A*03:01 (May 2013)',
  },
  {
    accession: 'HLA00071',
    name: 'A*0308',
    description: 'Sequence named in error and identical to A*0309 (May 2009)',
  },
  { accession: 'HLA00072', name: 'A*0309', description: 'Sequence renamed A*03:01 (June 2009)' },
  { accession: 'HLA00073', name: 'A*0310', description: 'Name never assigned' },
]

export function smallHistory(): History {
  return readHistory(encodeHistory(SMALL_LISTS, SMALL_DELETIONS))
}

export function publishedList(code: string): [accession: string, name: string][] {
  const text = readFileSync(sharedPath(...LATEST, 'allelelist', `Allelelist.${code}.txt`), 'utf8')
  return parseAlleleList(text).map(({ accession, name }) => [accession, name])
}

/** Codes of all published lists: `3580`. */
export function publishedCodes(): string[] {
  return readdirSync(sharedPath(...LATEST, 'allelelist')).map((file) => file.replace(/\D/g, ''))
}

export function publishedLists(): ReleaseList[] {
  return publishedCodes().map((code) => ({ release: parseCodeRelease(code), rows: publishedList(code) }))
}

export function publishedDeletions(): Deletion[] {
  return parseDeletedAlleles(readFileSync(sharedPath(...LATEST, 'Deleted_alleles.txt'), 'utf8'))
}

let [published, today]: [History | undefined, History | undefined] = [undefined, undefined]

export function publishedHistory(): History {
  const encode = () => encodeHistory(publishedLists(), publishedDeletions())
  return (published ??= readHistory(madeOnce('history', encode)))
}

/** The full history, with the list of test/support/release-2026.ts where available. */
export function historyOfToday(): History {
  if (!releasesOfToday().includes('3640')) return publishedHistory()
  return (today ??= readHistory(madeOnce('history-of-today', encodeToday)))
}

function encodeToday(): Uint8Array {
  const rows = parseAlleleList(readTexts('3640').alleleList).map(
    ({ accession, name }) => [accession, name] as const,
  )
  const lists = publishedLists().filter(({ release }) => release !== '3.64.0')
  return encodeHistory([...lists, { release: '3.64.0', rows }], publishedDeletions())
}
