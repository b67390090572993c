/** Antigens at a level, computed from the lines of both files, without src and without tables derived there. */
import { grouped, locus, short } from './names.ts'
import { coveredBy } from './methods.ts'
import { once, type World } from './world.ts'

export type Level = 'associated' | 'split' | 'broad'
export const LEVELS: readonly Level[] = ['associated', 'split', 'broad']

/** Antigen -> the antigen it is associated with, and the one it is a split of; names as in the files. */
interface Lines {
  readonly associated: ReadonlyMap<string, string>
  readonly splits: ReadonlyMap<string, string>
  /** Full name -> antigens of its line. */
  readonly rows: ReadonlyMap<string, readonly string[]>
}

export function nameAtLevel(name: string, level: Level, world: World): string[] {
  const lines = linesOf(world)
  const alleles = world.tables.shortNulls.get(name) ?? coveredBy(name, world)
  const proteins = new Set(alleles.filter((one) => !one.endsWith('N')).map((one) => short(one, 2)))
  const found = [...proteins].flatMap((protein) =>
    coveredBy(protein, world).flatMap((one) => lines.rows.get(one) ?? []),
  )
  return raised(withoutWider(found, lines), level, lines)
}

export function antigenAtLevel(antigen: string, level: Level, world: World): string[] {
  const lines = linesOf(world)
  const found = (rowsUnder(world).get(antigen) ?? []).flatMap((row) =>
    withoutWider(row.filter((one) => one === antigen || chain(one, lines).includes(antigen)), lines),
  ) // prettier-ignore
  return raised(found.length === 0 ? [antigen] : found, level, lines)
}

/** Antigen -> the lines that have it, or an antigen within it. */
function rowsUnder(world: World): Map<string, (readonly string[])[]> {
  return once(world, 'lines under antigens', () => {
    const lines = linesOf(world)
    return grouped(
      [...lines.rows.values()].flatMap((row) =>
        [...new Set(row.flatMap((one) => [one, ...chain(one, lines)]))].map((one) => [one, row] as const),
      ),
    )
  })
}

function withoutWider(given: readonly string[], lines: Lines): string[] {
  const antigens = [...new Set(given)]
  return antigens.filter((one) => !antigens.some((other) => chain(other, lines).includes(one)))
}

function raised(antigens: readonly string[], level: Level, lines: Lines): string[] {
  const split = (one: string) => lines.associated.get(one) ?? one
  const broad = (one: string) => lines.splits.get(split(one)) ?? split(one)
  const raise = { associated: (one: string) => one, split, broad }[level]
  return [...new Set(antigens.map(raise))].sort()
}

function chain(antigen: string, lines: Lines): string[] {
  const next = lines.associated.get(antigen) ?? lines.splits.get(antigen)
  return next === undefined ? [] : [next, ...chain(next, lines)]
}

function linesOf(world: World): Lines {
  return once(world, 'lines of antigens', () => {
    const { families, antigens } = world.tables.files
    const rows = new Map(
      antigens.map(({ allele, numbers }) => {
        const letters = locus(allele) === 'C' ? 'Cw' : locus(allele).slice(0, 2)
        return [allele, numbers.map((number) => letters + number)] as const
      }),
    )
    const parents = (of: 'splits' | 'associated') =>
      families.flatMap((line) => {
        const parent = line.letters + line.number
        // DR5;1;;01: DR5101 of DR51
        const letters = of === 'associated' && /\d$/.test(line.letters) ? parent : line.letters
        return line[of].map((number) => [letters + number, parent] as const)
      })
    return {
      associated: new Map(parents('associated')),
      splits: new Map(parents('splits')),
      rows,
    }
  })
}
