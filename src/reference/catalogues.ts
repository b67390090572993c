/** Catalogues of common and well-documented alleles: CWD 2.0.0 from the package, others as installed.  [disk] */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageText } from '../package-root.ts'
import { makeFolderDurably, writeAtomically } from '../io/atomic-write.ts'
import {
  type CatalogueTable,
  CIWD_POPULATIONS,
  type CiwdPopulation,
  EURCWD_CATEGORIES,
  FREQUENCY_CATEGORIES,
  type FrequencyCategory,
  parseCiwd,
  parseEurcwd,
} from './sources/catalogue-files.ts'
import { isCatalogueName, parseStarterRows } from './starter/starter-rows.ts'
import type { DataDirs } from './store/location.ts'
import { isMissing, sha256Of } from './store/manifest.ts'

export const CATALOGUE_IDS = ['cwd2', 'ciwd3', 'eurcwd'] as const
export type CatalogueId = (typeof CATALOGUE_IDS)[number]

/** Catalogues that are installed from their published files. */
export type FileCatalogueId = Exclude<CatalogueId, 'cwd2'>

export interface PublishedCatalogue {
  /** Display name: `CIWD 3.0.0`. */
  readonly name: string
  readonly citation: string
  readonly url: string
  /** Release of its names. */
  readonly release: string
  /** `TOTAL` first. */
  readonly populations: readonly CiwdPopulation[]
  readonly categories: readonly FrequencyCategory[]
  /** @throws {HlaError} bad-release-file */
  readonly parse: (text: string) => CatalogueTable
}

export const FILE_CATALOGUES: Readonly<Record<FileCatalogueId, PublishedCatalogue>> = {
  // all its names are in 3.31.0, and in no other release
  ciwd3: {
    name: 'CIWD 3.0.0',
    citation: 'Hurley et al., HLA 2020, 95:516',
    url: 'https://raw.githubusercontent.com/nmdp-bioinformatics/CIWD/master/ciwd.3.0.0.csv',
    release: '3.31.0',
    populations: CIWD_POPULATIONS,
    categories: FREQUENCY_CATEGORIES,
    parse: parseCiwd,
  },
  /*
   * No release has all its 1,048 names. Up to 3.20.0 each release lacks fewer of them; 3.20.0 lacks only DQB1*03:191, which
   * is new in 3.21.0 and has had no other name, and 3.21.0 and all later ones lack only DQA1*01:07, then DQA1*01:07Q.
   */
  eurcwd: {
    name: 'EURCWD',
    citation: 'Sanchez-Mazas et al., HLA 2017, 89:104',
    url: 'https://raw.githubusercontent.com/kosoegawa/HATS/HEAD/EURCWD/EURCWD.csv',
    release: '3.20.0',
    populations: ['TOTAL'],
    categories: EURCWD_CATEGORIES,
    parse: parseEurcwd,
  },
}

/** Category of a name; CWD 2.0.0 publishes one list without distinction. */
export type Category = FrequencyCategory | 'CWD'

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

export interface CatalogueFilter {
  readonly categories: readonly FrequencyCategory[]
  /** Populations in which a name may have one of the categories. */
  readonly populations: readonly CiwdPopulation[]
}

export const DEFAULT_FILTER: CatalogueFilter = { categories: ['C', 'I', 'WD'], populations: ['TOTAL'] }

/** An installed catalogue. Of the filter's categories those count that it has. */
export function fileCatalogue(
  id: FileCatalogueId,
  table: CatalogueTable,
  { categories, populations }: CatalogueFilter = DEFAULT_FILTER,
): Catalogue {
  const { name, release, populations: published, categories: allCategories } = FILE_CATALOGUES[id]
  const chosen = categories.filter((category) => allCategories.includes(category))
  const columns = populations.map((population) => published.indexOf(population))
  const isMember = (allele: string) => {
    const cells = table.get(allele)
    return columns.some((column) => chosen.some((category) => cells?.[column] === category))
  }
  const where = published.length > 1 ? ` in ${populations.join(', ')}` : ''
  return {
    id,
    name,
    title: `${name} (${chosen.join(', ')}${where})`,
    release,
    size: table.size,
    isMember,
    categoriesOf: (allele) => table.get(allele),
    populations: published,
  }
}

/** Path of an installed catalogue. */
export function cataloguePath(dir: string, id: FileCatalogueId): string {
  return join(dir, 'catalogues', `${id}.csv`)
}

/**
 * The catalogue of the user's own directory, else of the system's; undefined when neither has it.
 * @throws {HlaError} bad-release-file
 */
export function readCatalogue(dirs: DataDirs, id: FileCatalogueId): CatalogueTable | undefined {
  const text = readInstalled(dirs, id)
  return text === undefined ? undefined : FILE_CATALOGUES[id].parse(text)
}

/** Installed catalogues, for the provenance of answers. */
export function installedCatalogues(dirs: DataDirs): { name: string; sha256: string }[] {
  return fileCatalogueIds().flatMap((id) => {
    const text = readInstalled(dirs, id)
    return text === undefined ? [] : [{ name: id, sha256: sha256Of(Buffer.from(text, 'utf8')) }]
  })
}

export function fileCatalogueIds(): readonly FileCatalogueId[] {
  return CATALOGUE_IDS.filter((id) => id !== 'cwd2')
}

/**
 * Checks the published file and stores it.
 * @throws {HlaError} bad-release-file
 */
export function installCatalogue({ own }: DataDirs, id: FileCatalogueId, bytes: Uint8Array): CatalogueTable {
  const table = FILE_CATALOGUES[id].parse(Buffer.from(bytes).toString('utf8'))
  const path = cataloguePath(own, id)
  makeFolderDurably(dirname(path))
  writeAtomically(path, bytes)
  return table
}

function readInstalled({ own, system }: DataDirs, id: FileCatalogueId): string | undefined {
  return readIfThere(cataloguePath(own, id)) ?? readIfThere(cataloguePath(system, id))
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
