/** Files that a command reads as one table: which a folder, a pattern or several names stand for. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { areMany, matchesFiles, openFiles } from '../../../src/cli/run/table/input-files.ts'
import { openLocalInput } from '../../../src/io/file-port.ts'
import { tempFolder } from '../../support/temp.ts'

const folder = tempFolder()('files')
const at = (name: string) => join(folder, name)

beforeAll(() => {
  for (const name of ['b.csv', 'a.csv', 'c.csv.', '.d.csv', 'notes.md', 'sub/e.csv', 'sub/.f.csv', '.g/h.csv', '[x].csv']) {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), 'id,A_1\n')
  }
}) // prettier-ignore

/** Names of the files, without the folder; undefined for a single one. */
async function partsOf(words: readonly string[], output = '-') {
  const { parts, skipped } = await openFiles({ source: openLocalInput }, words.map(at), { output })
  const short = (name: string) => name.slice(folder.length + 1)
  return {
    parts: parts?.map(({ name }) => short(name)),
    skipped: skipped?.map(({ name, reason }) => `${short(name)}: ${reason}`),
  }
}

const NOTES = 'notes.md: files with this ending hold no typings'

test.for([
  [['a.csv'], undefined, undefined],
  [['[x].csv'], undefined, undefined],
  [['b.csv', 'a.csv'], ['b.csv', 'a.csv'], undefined],
  [['*.csv'], ['[x].csv', 'a.csv', 'b.csv'], undefined],
  [['.*.csv'], ['.d.csv'], undefined],
  [['s*/*.csv'], ['sub/e.csv'], undefined],
  [['s*/.*'], ['sub/.f.csv'], undefined],
  // other folders, and files, are passed over
  [['*/e.csv', 'a.csv'], ['sub/e.csv', 'a.csv'], undefined],
  [['sub'], ['sub/e.csv'], []],
  [[''], ['[x].csv', 'a.csv', 'b.csv', 'c.csv.', 'sub/e.csv'], [NOTES]],
  [['sub', 'a.csv'], ['sub/e.csv', 'a.csv'], []],
] as const)('%j are %j', async ([words, parts, skipped]) =>
  expect(await partsOf(words)).toEqual({ parts, skipped }),
)

test('a file that the command writes is not one of a folder', async () => {
  const { parts, skipped } = await partsOf(['sub'], at('a.csv'))
  expect({ parts, skipped }).toEqual({ parts: ['sub/e.csv'], skipped: [] })
  expect((await partsOf([''], at('a.csv'))).skipped).toEqual(['a.csv: it is written by this command', NOTES])
})

test.for([
  [['a.csv', 'a.csv'], '-', `${at('a.csv')} is given twice`],
  [['a.csv', 'b.csv'], at('b.csv'), `${at('b.csv')} is the output, so it cannot be an input`],
  [['*.tsv'], '-', `no file matches ${at('*.tsv')}`],
  [['.g/*.tsv', 'a.csv'], '-', `no file matches ${at('.g/*.tsv')}`],
] as const)('%j with output %s is refused', async ([words, output, message]) => {
  await expect(partsOf(words, output)).rejects.toMatchObject({ message })
})

test('a pattern is told from a name', () => {
  expect(['*.csv', 'x*.csv', 'a.csv', '*', '*/e.csv', '*/g.csv'].map((name) => matchesFiles(at(name)))).toEqual([true, false, false, true, true, false]) // prettier-ignore
  expect([[], ['a.csv'], ['[x].csv'], [''], ['x*'], ['a.csv', 'x']].map((names) => areMany(names.map(at)))).toEqual([
    false, false, false, true, true, true,
  ]) // prettier-ignore
})

test('several files are one input of their common size', async () => {
  writeFileSync(at('a.csv'), 'id,A_1\n1,01:01\n')
  const source = async (...names: readonly string[]) =>
    (await openFiles({ source: openLocalInput }, names.map(at), { output: '-' })).source
  expect(await source('a.csv')).toMatchObject({ name: at('a.csv'), size: 15 })
  expect(await source('b.csv', 'a.csv')).toMatchObject({
    name: `2 files (${at('b.csv')} …)`,
    title: at('b.csv'),
    size: 22,
  })
  const unknown = (file: string) => ({ ...openLocalInput(file), ...(file === at('b.csv') ? { size: undefined } : {}) }) // prettier-ignore
  for (const names of [
    ['b.csv', 'a.csv'],
    ['a.csv', 'b.csv'],
  ])
    expect((await openFiles({ source: unknown }, names.map(at), { output: '-' })).source.size).toBeUndefined()
})

test('a folder has its files but those that are written, and those of other programs', async () => {
  const names = ['a.md.csv', 'b.MD', 'c.errors.csv', 'd.errors.tsv.gz', 'e.errors.csv.x', 'f.hla.json', 'g.vcf.gz', 'h.csv.gz', 'i.csv', 'j', 'md'] // prettier-ignore
  mkdirSync(at('all'))
  for (const name of names) writeFileSync(at(`all/${name}`), '')
  const written = [true, at('all/i.csv'), undefined, at('all/none.csv')]
  const { parts, skipped } = await openFiles({ source: openLocalInput }, [at('all')], {
    output: '-',
    written,
  })
  const short = (name: string) => name.slice(at('all/').length)
  expect(parts?.map(({ name }) => short(name))).toEqual(['a.md.csv', 'e.errors.csv.x', 'h.csv.gz', 'j', 'md'])
  const none = 'files with this ending hold no typings'
  expect(skipped?.map(({ name, reason }) => [short(name), reason])).toEqual([
    ['b.MD', none], ['c.errors.csv', none], ['d.errors.tsv.gz', none], ['f.hla.json', none], ['g.vcf.gz', none],
    ['i.csv', 'it is written by this command'],
  ]) // prettier-ignore
})

test('what is no file of a table is refused as that', async () => {
  const open = (...words: readonly string[]) => openFiles({ source: openLocalInput }, words, { output: '-' })
  await expect(open('-', at('a.csv'))).rejects.toMatchObject({ code: 'usage', message: 'standard input cannot be one of several files' }) // prettier-ignore
  await expect(open(at('a.csv'), at('a.csv'))).rejects.toMatchObject({ code: 'usage', offending: at('a.csv') }) // prettier-ignore
  await expect(open(at('*.tsv'))).rejects.toMatchObject({ code: 'not-found', offending: at('*.tsv') })
  mkdirSync(at('empty'))
  const message = `there is no file with typings in ${at('empty')}`
  await expect(open(at('empty'))).rejects.toMatchObject({
    code: 'not-found',
    message,
    offending: at('empty'),
  })
  // a pattern in a store is a name there
  expect([['drive:/*.csv'], ['drive:/a', 'drive:/b']].map(areMany)).toEqual([false, true])
})
