/** Catalogues of common and well-documented alleles: CWD 2.0.0 from the package, CIWD 3.0.0 as installed.  [disk] */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageText } from '../package-root.ts'
import { makeFolderDurably, writeAtomically } from '../io/atomic-write.ts'
import {
  CIWD_POPULATIONS,
  type CiwdCategory,
  type CiwdPopulation,
  type CiwdTable,
  parseCiwd,
} from './sources/ciwd.ts'
import { isCatalogueName, parseStarterRows } from './starter/starter-rows.ts'
import type { DataDirs } from './store/location.ts'
import { isMissing, sha256Of } from './store/manifest.ts'

export const CATALOGUE_IDS = ['cwd2', 'ciwd3'] as const
export type CatalogueId = (typeof CATALOGUE_IDS)[number]

/** Category of a name; CWD 2.0.0 publishes one list without distinction. */
export type Category = CiwdCategory | 'CWD'

/** A published list of names, and which of them count. */
export interface Catalogue {
  readonly id: CatalogueId
  /** Display name: `CWD 2.0.0`. */
  readonly name: string
  /** Name with the filter: `CIWD 3.0.0 (C, I in EURO)`. */
  readonly title: string
  /** Release of its names. */
  readonly release: string
  readonly size: number
  /** True for a name that passes the filter; without `HLA-`. */
  isMember(name: string): boolean
  /** Categories of a published name in the order of `populations`; undefined for a name that it lacks. */
  categoriesOf(name: string): readonly Category[] | undefined
  /** `TOTAL` first. */
  readonly populations: readonly CiwdPopulation[]
}

/** CWD 2.0.0 (Mack et al. 2013, Tissue Antigens 81:194), from the starter set; read anew at each call. */
export function cwd2Catalogue(): Catalogue {
  const members = new Set(cwd2Names())
  const isMember = (name: string) => members.has(name)
  return {
    id: 'cwd2',
    name: 'CWD 2.0.0',
    title: 'CWD 2.0.0',
    release: '3.9.0',
    size: members.size,
    isMember,
    categoriesOf: (name) => (isMember(name) ? ['CWD'] : undefined),
    populations: ['TOTAL'],
  }
}

export interface CiwdFilter {
  readonly categories: readonly CiwdCategory[]
  /** Populations in which a name may have one of the categories. */
  readonly populations: readonly CiwdPopulation[]
}

export const DEFAULT_CIWD_FILTER: CiwdFilter = { categories: ['C', 'I', 'WD'], populations: ['TOTAL'] }

/** CIWD 3.0.0 (Hurley et al. 2020, HLA 95:516); all its names are in 3.31.0, and in no other release. */
export function ciwd3Catalogue(table: CiwdTable, { categories, populations }: CiwdFilter): Catalogue {
  const columns = populations.map((population) => CIWD_POPULATIONS.indexOf(population))
  const isMember = (name: string) => {
    const cells = table.get(name)
    return columns.some((column) => categories.some((category) => cells?.[column] === category))
  }
  return {
    id: 'ciwd3',
    name: 'CIWD 3.0.0',
    title: `CIWD 3.0.0 (${categories.join(', ')} in ${populations.join(', ')})`,
    release: '3.31.0',
    size: table.size,
    isMember,
    categoriesOf: (name) => table.get(name),
    populations: CIWD_POPULATIONS,
  }
}

/** Path of the installed CIWD 3.0.0. */
export function ciwd3Path(dir: string): string {
  return join(dir, 'catalogues', 'ciwd3.csv')
}

/**
 * CIWD of the user's own directory, else of the system's; undefined when neither has it.
 * @throws {HlaError} bad-release-file
 */
export function readCiwd3({ own, system }: DataDirs): CiwdTable | undefined {
  const text = readIfThere(ciwd3Path(own)) ?? readIfThere(ciwd3Path(system))
  return text === undefined ? undefined : parseCiwd(text)
}

/** Installed catalogues, for the provenance of answers. */
export function installedCatalogues({ own, system }: DataDirs): { name: string; sha256: string }[] {
  const text = readIfThere(ciwd3Path(own)) ?? readIfThere(ciwd3Path(system))
  return text === undefined ? [] : [{ name: 'ciwd3', sha256: sha256Of(Buffer.from(text, 'utf8')) }]
}

/**
 * Checks the published file and stores it.
 * @throws {HlaError} bad-release-file
 */
export function installCiwd3({ own }: DataDirs, bytes: Uint8Array): CiwdTable {
  const table = parseCiwd(Buffer.from(bytes).toString('utf8'))
  const path = ciwd3Path(own)
  makeFolderDurably(dirname(path))
  writeAtomically(path, bytes)
  return table
}

function cwd2Names(): string[] {
  const rows = parseStarterRows(packageText('data/starter/alleles.tsv'))
  return rows.map(({ name }) => name).filter(isCatalogueName)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
