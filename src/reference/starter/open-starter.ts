/** Built-in starter set: as built with the package or, in a checkout without a build, from its tables.  [disk] */
import { orElse } from '../../errors.ts'
import { packageFile, packageText } from '../../package-root.ts'
import { type FixedTables, readFixedTables } from '../compile/fixed-tables.ts'
import { encodeRelease } from '../compile/encode.ts'
import { type MacTable, encodeMacTable, lateMacTable, readMacTable } from '../mac-table.ts'
import { type Release, readRelease } from '../release.ts'
import { createHash } from 'node:crypto'
import { readDataLines, readHeader } from '../sources/lines.ts'
import {
  firstField,
  readExpression,
  readLocus,
  threeFields,
  twoFields,
  withoutGroupLetter,
} from '../../nomenclature/allele.ts'
import { flagNames } from '../compile/compile.ts'
import { type AnsweredRow, isAnswered, isCatalogueName, parseStarterRows } from './starter-rows.ts'
import type { ColumnName, ListName, ReleaseFacts, ReleaseTables } from '../compile/tables.ts'

export interface Starter {
  readonly release: Release
  readonly mac: MacTable
}

/** File names of the two built parts. */
export const STARTER_FILES = { release: 'starter.bin', mac: 'starter-mac.bin' } as const

export function openStarter(): Starter {
  return {
    release: openBuilt(STARTER_FILES.release, compiledStarter, (bytes) =>
      readRelease(bytes, compiledStarter),
    ),
    mac: lateMacTable(() => openBuilt(STARTER_FILES.mac, compiledStarterCodes, readMacTable)),
  }
}

/** The built file; made from its table when it is missing or damaged. */
function openBuilt<T>(name: string, make: () => Uint8Array, open: (bytes: Uint8Array) => T): T {
  const built = packageFile('dist', name)
  if (built === undefined) return open(make())
  return orElse(
    () => open(built),
    () => open(make()),
  )
}

/** Bytes of the release compiled from data/starter. */
export function compiledStarter(): Uint8Array {
  return encodeRelease(compileStarter(readTable('alleles.tsv'), readFixedTables()))
}

/** Bytes of the code list compiled from data/starter. */
export function compiledStarterCodes(): Uint8Array {
  return encodeStarterCodes(readTable('codes.tsv'))
}

function readTable(name: string): string {
  return packageText('data', 'starter', name)
}

/** Bytes of a MacTable; `text` is that of codes.tsv. */
function encodeStarterCodes(text: string): Uint8Array {
  const { date = '' } = readHeader(text)
  const [, ...lines] = readDataLines(text)
  const codes = lines.map(({ text: line }) => {
    const [code = '', expansion = ''] = line.split('\t')
    return [code, expansion] as const
  })
  return encodeMacTable({ date, codes }, createHash('sha256').update(text).digest('hex'))
}

/** `text` is data/starter/alleles.tsv. */
export function compileStarter(text: string, fixed: FixedTables): ReleaseTables {
  const rows = parseStarterRows(text)
  const answered = rows.filter(isAnswered)
  // A*01:04N stands for full names that have rows of their own
  const shortNulls = answered.filter(({ name, full }) => readExpression(name) !== '' && full[0] !== name)
  const alleles = answered.filter((row) => !shortNulls.includes(row))
  const columns = indexColumns(alleles)
  const names = alleles.flatMap(({ name, full }) => [name, ...listForms(full[0])])
  const held = new Set([...names, ...shortNulls.map(({ name }) => name).filter(isCatalogueName)])
  return {
    facts: {
      ...makeFacts(text, fixed),
      alleleCount: answered.filter(({ name }) => isCatalogueName(name)).length,
      loci: [...new Set(names.map(readLocus))],
      cwd2: rows.map(({ name }) => name).filter(isCatalogueName),
    },
    flags: flagNames([
      ['who', alleles.map(({ full }) => full[0])],
      ['allele', held],
      ['firstField', names.map(firstField)],
      ['gGroup', findHeldGroups(columns.g, held)],
      ['pGroup', findHeldGroups(columns.p, held)],
      ['pNotGValue', columns.pNotG.values()],
      ['antigen', fixed.antigens],
    ]),
    columns,
    lists: makeLists(alleles, shortNulls),
    tce: new Map(),
  }
}

function makeFacts(text: string, fixed: FixedTables): Omit<ReleaseFacts, 'alleleCount' | 'loci' | 'cwd2'> {
  const { date = '', version = '' } = readHeader(text)
  return {
    label: version,
    compact: version.replaceAll('.', ''),
    date,
    dataset: 'starter',
    hasHats: false,
    hasTce: false,
    sources: [{ name: 'starter/alleles.tsv', sha256: createHash('sha256').update(text).digest('hex') }],
    groupAliases: {},
    oldNames: fixed.oldNames,
    molecularBroads: fixed.molecularBroads,
    broads: {},
    associated: {},
  }
}

/** A full name and its three fields, unless that would drop its expression letter. */
function listForms(full: string): string[] {
  return readExpression(full) === '' ? [full, threeFields(full)] : [full]
}

function indexColumns(rows: readonly AnsweredRow[]): Record<ColumnName, Map<string, string>> {
  const { g, p, lgx, exon, pNotG, hats } = {
    g: new Map<string, string>(),
    p: new Map<string, string>(),
    lgx: new Map<string, string>(),
    exon: new Map<string, string>(),
    pNotG: new Map<string, string>(),
    hats: new Map<string, string>(),
  }
  for (const row of rows) {
    const [full] = row.full
    for (const form of row.fullG === '' ? [] : listForms(full)) {
      g.set(form, row.fullG)
      lgx.set(form, twoFields(row.fullG))
      exon.set(full, threeFields(full))
    }
    for (const form of row.p === '' ? [] : [row.name, ...listForms(full)]) p.set(form, row.p)
    const lastG = row.g.at(-1)
    if (lastG !== undefined) {
      g.set(row.name, lastG)
      lgx.set(row.name, row.lgx)
    } else if (row.p !== '') pNotG.set(full, twoFields(row.p))
  }
  return { g, p, lgx, exon, pNotG, hats }
}

/** Groups whose naming allele is in the set too: methods answer a group as they answer that name. */
function findHeldGroups(column: ReadonlyMap<string, string>, held: ReadonlySet<string>): string[] {
  return [...new Set(column.values())].filter((group) => {
    const namesake = withoutGroupLetter(group)
    return group !== namesake && held.has(namesake)
  })
}

/** Complete lists only. A name without antigens has an empty one. */
function makeLists(
  rows: readonly AnsweredRow[],
  shortNulls: readonly AnsweredRow[],
): Record<ListName, ReadonlyMap<string, readonly string[]>> {
  const none = new Map<string, readonly string[]>()
  return {
    gDuplicates: new Map(rows.filter(({ g }) => g.length > 1).map(({ name, g }) => [name, g])),
    shortNull: new Map(shortNulls.map(({ name, full }) => [name, full])),
    alleleAntigens: new Map(rows.map(({ full, fullAntigens }) => [full[0], fullAntigens])),
    lgxAntigens: new Map(
      rows.filter(({ name, lgx }) => name === lgx).map(({ name, antigens }) => [name, antigens]),
    ),
    lgxAntigensPlain: none,
    antigenAlleles: none,
    groupMembers: none,
    notPublic: none,
    who: none,
    xx: none,
  }
}
