/** One wrong bit anywhere in a data folder: every answer is unchanged, or refused. */
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isHlaError } from '../../src/errors.ts'
import { compileFiles } from '../../src/reference/compile/compile-files.ts'
import { encodeMacTable, type MacTable, readMacTable } from '../../src/reference/mac-table.ts'
import { openInstalled, type Reading } from '../../src/reference/store/open-release.ts'
import { parseReleaseNumber } from '../../src/reference/release-number.ts'
import { type Release, readRelease } from '../../src/reference/release.ts'
import { parseNumer } from '../../src/reference/sources/numer.ts'
import { installRelease } from '../../src/reference/store/install.ts'
import { useRelease } from '../../src/reference/store/installed.ts'
import { installMacList } from '../../src/reference/store/mac-lists.ts'
import { COLUMN_NAMES, LIST_NAMES, NAME_FLAGS, type NameFlag } from '../../src/reference/compile/tables.ts'
import { encodeRelease } from '../../src/reference/compile/encode.ts'
import { published, smallBranch } from '../support/published-release.ts'
import { type History, encodeHistory, readHistory } from '../../src/reference/history/history.ts'
import { readLate, readLateHistory } from '../support/late-release.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { compileTexts, smallTexts } from '../support/small-release.ts'
import { tempFolder } from '../support/temp.ts'

const ROUNDS = process.env['HLA_LONG'] ? 3_400 : 150
const temp = tempFolder()

/** Whether the file is compiled from the published files. */
function isMade(name: string): boolean {
  return name.endsWith('.bin')
}

/** Every fact of a release. */
function everything(release: Release): string {
  const names = Array.from({ length: release.size }, (_, id) => release.nameOf(id))
  const kinds = Object.keys(NAME_FLAGS) as NameFlag[]
  return JSON.stringify([
    release.facts,
    names.map((name) => [
      name,
      release.idOf(name),
      kinds.filter((kind) => release.is(kind, name)),
      COLUMN_NAMES.map((column) => release.valueOf(column, name)),
      LIST_NAMES.map((list) => release.listOf(list, name)),
    ]),
    release.idOf('A*99:99'),
  ])
}

function allCodes(table: MacTable): string {
  const codes = [...table.codesWithPrefix('')]
  const members = (code: string) => table.expand(code)?.members ?? []
  return JSON.stringify([
    table.date,
    table.size,
    codes,
    codes.map(members),
    codes.map((code) => table.codesOf(members(code), table.expand(code)?.generic ?? true)),
    table.expand('ZZZZ'),
  ])
}

/** Runs `ask` on bytes with one wrong bit; the answer of each round, except the refused ones. */
function flipped(bytes: Uint8Array, ask: (damaged: Uint8Array, round: number) => string): Set<string> {
  const random = randomNumbers(bytes.length)
  const answers = new Set<string>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const damaged = Uint8Array.from(bytes)
    const at = Math.floor(random() * bytes.length)
    damaged[at] = (damaged[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    const answer = orRefused(() => ask(damaged, round))
    if (answer !== undefined) answers.add(answer)
  }
  return answers
}

function orRefused(ask: () => string): string | undefined {
  try {
    return ask()
  } catch (error) {
    if (isHlaError(error)) return undefined
    throw error
  }
}

describe('one wrong bit in', () => {
  test('a compiled release', () => {
    const bytes = encodeRelease(compileTexts(smallTexts()))
    const right = everything(readRelease(bytes))
    const refusing = flipped(bytes, (damaged) => everything(readRelease(damaged)))
    expect([...refusing].every((answer) => answer === right)).toBe(true)
    // a release that can be recompiled still answers, unless its head is damaged
    const healed = flipped(bytes, (damaged) => everything(readRelease(damaged, () => bytes)))
    expect([...healed].every((answer) => answer === right)).toBe(true)
    expect(healed.size).toBe(1)
    const late = flipped(bytes, (damaged) => everything(readLate(damaged)))
    expect([...late].every((answer) => answer === right)).toBe(true)
    expect(flipped(bytes, (damaged) => everything(readLate(damaged, { remake: () => bytes })))).toEqual(
      healed,
    )
  })

  test('a compiled history', () => {
    const lists = ['3.57.0', '3.58.0'].map((release, later) => {
      const rows = Array.from({ length: 400 }, (_, at): readonly [string, string] => [
        `HLA${String(at).padStart(5, '0')}`,
        `A*01:${String(at + (at % 7) * later).padStart(3, '0')}`,
      ])
      return { release, rows }
    })
    const deletions = [{ accession: 'HLA00007', name: 'A*01:900', description: 'identical to A*01:007' }]
    const bytes = encodeHistory(lists, deletions)
    const all = (history: History) => {
      const spellings = history.spellingsUnder('')
      const others = spellings.map(({ accession, name }) => [
        history.spellingsOf(accession),
        history.ownersOf(name),
      ])
      return JSON.stringify([spellings, others, history.deletionOf('A*01:900'), history.releases])
    }
    const right = all(readHistory(bytes))
    const ways: ((damaged: Uint8Array, remake?: () => Uint8Array) => History)[] = [
      readHistory,
      (damaged, remake) => readLateHistory(damaged, remake && { remake }),
    ]
    for (const read of ways) {
      const refusing = flipped(bytes, (damaged) => all(read(damaged)))
      expect([...refusing].every((answer) => answer === right)).toBe(true)
      // one that can be recompiled still answers, unless its head is damaged
      expect(flipped(bytes, (damaged) => all(read(damaged, () => bytes)))).toEqual(new Set([right]))
    }
  })

  test('an index of codes', () => {
    const rows = Array.from({ length: 900 }, (_, at) => {
      const code = [at / 676, at / 26, at].map((place) => String.fromCharCode(65 + (Math.floor(place) % 26)))
      return `${code.join('')}\t${at % 90 < 10 ? '0' : ''}${at % 90}/${(at % 7) + 90}`
    })
    const source = parseNumer(`LAST UPDATED: 07/11/20\nCODE\tSUBTYPE\n\n${rows.join('\n')}\n`)
    const bytes = encodeMacTable(source, '0'.repeat(64))
    const right = allCodes(readMacTable(bytes))
    const answers = flipped(bytes, (damaged) => allCodes(readMacTable(damaged)))
    expect([...answers].every((answer) => answer === right)).toBe(true)
  })

  test('any file of a data folder', () => {
    const folder = temp('whole')
    const dirs = { own: folder, system: temp('none') }
    const list = published('Allelelist.3570.txt', '3.57.0', '2024-07-01', ['HLA00001,A*01:01:01:01'])
    const branch = smallBranch('3.58.0').set('allelelist/Allelelist.3570.txt', list)
    const files = [...branch].map(([name, bytes]) => ({ name, bytes, origin: `/data/${name}` }))
    const release = parseReleaseNumber('3.58.0')
    installRelease(dirs, { release, files, from: '/data', compile: compileFiles })
    useRelease(dirs, '3.58.0')
    const numer = 'LAST UPDATED: 07/11/20\nCODE\tSUBTYPE\n\nAB\t01/02\nCD\t03/04\n'
    installMacList(dirs, Buffer.from(numer), 'numer.v3.txt')
    const ask = (own: string, reading: Reading = 'all') => {
      const data = openInstalled({ ...dirs, own }, 'active', reading)
      const history = data.history()
      return JSON.stringify([
        everything(data.release),
        data.mac && allCodes(data.mac),
        data.identity(),
        history?.releases,
        history?.spellingsUnder(''),
        ['hla_nom.txt', 'hla_nom_g.txt', 'numer.v3.txt'].map((name) => data.sources(name)),
      ])
    }
    const right = ask(folder)
    expect(ask(folder, 'late')).toBe(right)
    // a history of other sources, from an earlier version, is removed when the right one is compiled
    const histories = () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /history-/.test(name))
    const [history = ''] = histories()
    renameSync(join(folder, history), join(folder, dirname(history), 'history-0123456789abcdef.bin'))
    expect(ask(folder)).toBe(right)
    expect(histories()).toEqual([history])
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile()) // prettier-ignore
    expect(names.length).toBeGreaterThan(14)
    const random = randomNumbers(3)
    const copy = temp('copy')
    // a recompiled file is intact afterwards
    for (const reading of ['all', 'late'] as const)
      for (const name of names.filter(isMade)) {
        rmSync(copy, { recursive: true, force: true })
        cpSync(folder, copy, { recursive: true })
        const whole = readFileSync(join(copy, name))
        // after the head, parts are checked when they are first used
        for (const at of [0, whole.length - 1]) {
          const damaged = Buffer.from(whole)
          damaged[at] = (damaged[at] ?? 0) ^ 1
          writeFileSync(join(copy, name), damaged)
          expect(ask(copy, reading), `${name}, byte ${at}`).toBe(right)
          expect(readFileSync(join(copy, name)).equals(whole), `${name}, byte ${at}, ${reading}`).toBe(true)
        }
      }
    for (let round = 0; round < ROUNDS; round += 1) {
      rmSync(copy, { recursive: true, force: true })
      cpSync(folder, copy, { recursive: true })
      const path = join(copy, names[round % names.length] ?? '')
      const damaged = readFileSync(path)
      const at = Math.floor(random() * damaged.length)
      damaged[at] = (damaged[at] ?? 0) ^ (1 << Math.floor(random() * 8))
      writeFileSync(path, damaged)
      // without the compiled files, the sources are read
      if (random() < 0.5) for (const name of names.filter(isMade)) rmSync(join(copy, name))
      const answer = orRefused(() => ask(copy, random() < 0.5 ? 'late' : 'all'))
      expect([undefined, right].includes(answer), `${path}, byte ${at}`).toBe(true)
    }
  })
})
