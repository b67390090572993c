/**
 * Names of the samples of several files that do not name them: the name of the file, or the part of the path in which
 * files of one program and one name differ. Pure.
 */
import { dirname, resolve } from 'node:path'
import { groupBy } from '../../words/group-by.ts'
import { personName } from './person.ts'

export interface ProgramFile {
  readonly path: string
  /** Program that wrote it; undefined for a table of any origin. */
  readonly program: string | undefined
}

export interface SampleNames {
  /** Path -> name; files of one name are about one sample. */
  readonly names: ReadonlyMap<string, string>
  /** Paths of files named by a part of the path. */
  readonly byPath: ReadonlySet<string>
  /** Paths of files that name and path assign to different samples: each has a name of its own. */
  readonly open: ReadonlySet<string>
}

interface PlacedFile extends ProgramFile {
  readonly stem: string
  readonly folder: readonly string[]
}

/** True when some files have equal names, so that their programs decide. */
export function haveEqualNames(paths: readonly string[]): boolean {
  return new Set(paths.map((path) => personName(path, undefined))).size < paths.length
}

export function nameSamples(given: readonly ProgramFile[]): SampleNames {
  const files = given.map((file): PlacedFile => {
    const folder = dirname(resolve(file.path)).split(/[\\/]/)
    return { ...file, stem: personName(file.path, undefined), folder }
  })
  const groups = [...groupBy(files, ({ stem }) => stem).values()]
  const found = groups.map((group) => ({ group, parts: differingParts(group) }))
  const names = new Map<string, string>()
  const byPath = new Set<string>()
  const open = new Set<string>()
  const begin = sharedLength(files)
  const leaveOpen = (group: readonly PlacedFile[]) => {
    for (const { path, folder, stem } of group) {
      names.set(path, [...folder.slice(begin), stem].join('/'))
      open.add(path)
    }
  }
  const grids = gridStems(found.flatMap(({ group, parts }) => (parts === undefined ? [] : namedParts(group, parts)))) // prettier-ignore
  for (const { group, parts } of found) {
    const [{ stem } = { stem: '' }] = group
    if (parts !== undefined && !grids.has(stem)) {
      for (const [file, name] of namedParts(group, parts)) {
        names.set(file.path, name)
        byPath.add(file.path)
      }
    } else if (parts !== undefined || !isNamedByFile(group, groups)) leaveOpen(group)
    else for (const { path } of group) names.set(path, stem)
  }
  return { names, byPath, open }
}

/** Positions in the path at which files of one program differ; undefined when none do. */
function differingParts(group: readonly PlacedFile[]): readonly number[] | undefined {
  const parts = new Set<number>()
  for (const own of groupBy(group, ({ program }) => program ?? '').values()) {
    const length = Math.max(...own.map(({ folder }) => folder.length))
    for (let at = 0; at < length; at += 1)
      if (new Set(own.map(({ folder }) => folder[at])).size > 1) parts.add(at)
  }
  return parts.size === 0 ? undefined : [...parts].sort((a, b) => a - b)
}

type NamedFile = readonly [file: PlacedFile, name: string]

function namedParts(group: readonly PlacedFile[], parts: readonly number[]): NamedFile[] {
  return group.map((file) => {
    const own = parts.flatMap((at) => file.folder[at] ?? []).join('/')
    return [file, own === '' ? file.stem : own]
  })
}

/**
 * Names of files of which a program wrote several to each place: the files of a sample, or samples of one run. Which,
 * the paths do not say.
 */
function gridStems(named: readonly NamedFile[]): ReadonlySet<string> {
  const places = groupBy(named, ([{ program }, name]) => `${program ?? ''}\n${name}`)
  const stems = [...places.values()].map((own) => new Set(own.map(([{ stem }]) => stem)))
  return new Set(stems.filter(({ size }) => size > 1).flatMap((own) => [...own]))
}

/**
 * True when files of one name are about one sample: they are in one folder but for those named after programs, or the
 * same folders have further names in common, each folder of one program.
 */
function isNamedByFile(group: readonly PlacedFile[], groups: readonly (readonly PlacedFile[])[]): boolean {
  const bare = group.map(({ folder, program }) =>
    folder.filter((one) => !namesProgram(one, program)).join('/'),
  )
  if (new Set(bare).size === 1) return true
  const place = ({ folder, program }: PlacedFile) => `${folder.join('/')}\n${program ?? ''}`
  const places = new Set(group.map(place))
  return groups.some((other) => other !== group && other.filter((one) => places.has(place(one))).length > 1)
}

/** `optitype`, `hla_optitype`, `arcas`, `t1k` */
function namesProgram(folder: string, program: string | undefined): boolean {
  if (program === undefined) return false
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z\d]/g, '')
  const bare = (text: string) => plain(text).replace(/hla|results?/g, '')
  if (plain(folder) === plain(program)) return true
  return bare(folder).length >= MIN_WORD && bare(folder) === bare(program)
}

const MIN_WORD = 4

/** Number of parts that all paths begin with. */
function sharedLength(files: readonly PlacedFile[]): number {
  const [first] = files
  const folder = first?.folder ?? []
  const at = folder.findIndex((part, index) => files.some((file) => file.folder[index] !== part))
  return at < 0 ? folder.length : at
}
