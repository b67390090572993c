/** Makes data/starter from the published files. Run it by hand, as data/starter/README.md describes. */
import { readFileSync, writeFileSync } from 'node:fs'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { DEFAULT_OPTIONS } from '../../src/engine/options.ts'
import { METHODS, METHOD_NAMES } from '../../src/engine/reduce/methods.ts'
import { readFixedTables } from '../../src/reference/compile/fixed-tables.ts'
import { encodeRelease } from '../../src/reference/compile/encode.ts'
import { sortForTable } from '../../src/reference/name-table.ts'
import { readRelease } from '../../src/reference/release.ts'
import { readHeader } from '../../src/reference/sources/lines.ts'
import {
  STARTER_COLUMNS,
  type StarterRow,
  formatStarterRow,
  isCatalogueName,
} from '../../src/reference/starter/starter-rows.ts'
import { compileStarter } from '../../src/reference/starter/open-starter.ts'
import { NOT_HELD, answerOf } from './answers.ts'
import { readTexts, realMacs, realRelease } from './releases.ts'
import { sharedPath } from './shared.ts'

const COMPACT = '3580'
const LABEL = '3.58.0'
const CODE_LETTERS = 2
const MOST_MEMBERS = 5

const release = realRelease(COMPACT)
const engine = makeEngine(release)

main(process.argv[2] ?? 'data/starter')

function main(folder: string): void {
  const asked = readCwd2().map((name) => [name, ...namesBehind(name)])
  const faithful = faithfulIn(asked.flat())
  const rows = asked.flatMap(([name = '', ...behind]) => {
    const all = [name, ...behind]
    return all.every((one) => faithful.has(one)) ? all.map(rowOf) : [withoutAnswers(name)]
  })
  const empty = rows.filter(({ full }) => full.length === 0).map(({ name }) => name)
  process.stderr.write(`${rows.length} rows; without answers: ${empty.join(' ')}\n`)
  writeFileSync(`${folder}/alleles.tsv`, allelesText(rows))
  writeFileSync(`${folder}/codes.tsv`, codesText())
}

function readCwd2(): string[] {
  const lines = readFileSync(sharedPath('upstream/cwd/CWD2.csv'), 'utf8').trim().split(/\r?\n/)
  return lines.slice(1).map((line) => line.slice(line.indexOf(',') + 1))
}

/** Alleles of a short null, and the three-field short nulls that method exon gives for them. */
function namesBehind(name: string): string[] {
  const full = release.is('allele', name) ? (release.listOf('shortNull', name) ?? []) : []
  const exons = full.flatMap((one) => METHODS.exon.reduce(one, engine))
  return [...new Set([...exons, ...full])].filter((one) => one !== name)
}

/** Names for which a starter set made from `names` answers like the full release. */
function faithfulIn(names: readonly string[]): Set<string> {
  const held = readRelease(encodeRelease(compileStarter(allelesText(names.map(rowOf)), readFixedTables())))
  const pairs = [true, false].map((ping) => {
    const options = { ...DEFAULT_OPTIONS, ping, limit: 0 }
    return [makeEngine(held, undefined, options), makeEngine(release, undefined, options)] as const
  })
  return new Set(names.filter((name) => pairs.every(([starter, full]) => isFaithful(name, starter, full))))
}

function isFaithful(name: string, starter: Engine, full: Engine): boolean {
  return METHOD_NAMES.every((method) => {
    const said = answerOf(starter, name, method)
    return said === NOT_HELD || said === answerOf(full, name, method)
  })
}

function rowOf(name: string): StarterRow {
  const shortNull = release.listOf('shortNull', name)
  if (!release.is('allele', name) && (shortNull === undefined || isCatalogueName(name)))
    return withoutAnswers(name)
  if (shortNull !== undefined) return { ...withoutAnswers(name), full: shortNull }
  const full = release.is('who', name) ? name : (release.listOf('who', name)?.[0] ?? name)
  const group = release.valueOf('g', name)
  return {
    name,
    full: [full],
    g: group === undefined ? [] : (release.listOf('gDuplicates', name) ?? [group]),
    p: release.valueOf('p', name) ?? '',
    lgx: METHODS.lgx.reduce(name, engine).join('/'),
    antigens: METHODS.S.reduce(name, engine),
    fullG: release.valueOf('g', full) ?? '',
    fullAntigens: METHODS.S.reduce(full, engine),
  }
}

function withoutAnswers(name: string): StarterRow {
  return { name, full: [], g: [], p: '', lgx: '', antigens: [], fullG: '', fullAntigens: [] }
}

function allelesText(rows: readonly StarterRow[]): string {
  const { date = '' } = readHeader(readTexts(COMPACT).gGroups)
  const byName = new Map(rows.map((row) => [row.name, row]))
  const sorted = sortForTable(byName.keys()).flatMap((name) => byName.get(name) ?? [])
  const head = [
    '# The common and well-documented alleles of catalogue CWD 2.0.0 (Mack et al. 2013, Tissue Antigens 81:194),',
    `# and what this program answers for them by IPD-IMGT/HLA ${LABEL} (Barker et al. 2023, https://www.ebi.ac.uk/ipd/imgt/hla/).`,
    '# full: the lowest-numbered full name; of a short name with expression letter, all it stands for. Nothing: no answers here.',
    '# G, P: groups, empty when in none. lgx, antigens: answers of methods lgx and S.',
    '# fullG, fullAntigens: the same of the full name, where they differ; "-" is none.',
    `# version: IPD-IMGT/HLA ${LABEL}`,
    `# date: ${date}`,
  ]
  return [...head, STARTER_COLUMNS.join('\t'), ...sorted.map(formatStarterRow), ''].join('\n')
}

function codesText(): string {
  const macs = realMacs()
  const rows = [...macs.codesWithPrefix('')]
    .filter((code) => code.length === CODE_LETTERS)
    .flatMap((code) => {
      const members = macs.expand(code)?.members ?? []
      return members.length <= MOST_MEMBERS ? [`${code}\t${members.join('/')}`] : []
    })
  const head = [
    `# Multiple allele codes of ${CODE_LETTERS} letters with at most ${MOST_MEMBERS} members.`,
    `# date: ${macs.date}`,
  ]
  return [...head, 'code\texpansion', ...rows, ''].join('\n')
}
