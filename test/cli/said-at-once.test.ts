/**
 * Impossible requests are refused before any work, even if no typing would reveal it: nothing is written, and the
 * status is an error.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { EXIT } from '../../src/io/exit-status.ts'
import { installedData } from '../support/installed-data.ts'
import { callHla } from '../support/call-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()

describe.concurrent('a place where no file can stand', () => {
  test.for([
    ['-o folder', 'folder: it is a folder'],
    ['-o none/out.csv', 'none/out.csv: no such file or directory'],
    ['-o beside.csv', 'beside.csv.errors.csv: it is a folder'],
    ['-o beside.csv --errors e.csv --provenance', 'beside.csv.hla.json: it is a folder'],
    ['-o out.csv --errors folder', 'folder: it is a folder'],
    ['-o out.csv --provenance=folder', 'folder: it is a folder'],
    ['-o out.csv --provenance=none/p.json', 'none/p.json: no such file or directory'],
    ['-o out.csv --summary json=folder', 'folder: it is a folder'],
    ['-o out.csv --summary json=none/s.json', 'none/s.json: no such file or directory'],
  ] as const)('%s', async ([options, said], { task }) => {
    const cwd = temp(task.id)
    const places = ['beside.csv.errors.csv', 'beside.csv.hla.json', 'folder']
    for (const place of ['', ...places]) mkdirSync(`${cwd}/${place}`)
    writeFileSync(`${cwd}/in.csv`, 'id,A_1,A_2\n1,99:99,02:01\n')
    const ran = await callHla(['redux', '-r', 'starter', '-i', 'in.csv', ...options.split(' ')], { cwd })
    expect(ran).toEqual({ status: EXIT.io, stdout: '', stderr: `hla: error: cannot write ${said}\n` })
    expect(readdirSync(cwd).filter((name) => name !== '.cache')).toEqual([...places, 'in.csv'])
  })
})

test.each(['json=', 'yaml', 'jsonfile'])('--summary %j names no file and no form', async (summary) => {
  const args = ['redux', '-r', 'starter', '-d', ',', '--summary', summary]
  expect(await callHla(args, { cwd: temp('.'), stdin: 'id,A_1,A_2\n1,01:01,02:01\n' })).toEqual({
    status: EXIT.usage,
    stdout: '',
    stderr: expect.stringContaining(`--summary is text, json or json=FILE, not ${JSON.stringify(summary)}`),
  })
})

describe.concurrent('a question that no typing can be asked', () => {
  test.for([
    ['diff 3.29.0 A*01:01', EXIT.usage, '"A*01:01" is not a release'],
    ['diff 3.29.0 3.99.0', EXIT.data, '3.99.0 is not installed'],
    ['diff 3.29.0 3.58.0 -m hats', EXIT.data, 'no HATS antigens'],
    ['lift --to 9.9.9', EXIT.usage, 'no release 9.9.9'],
    ['lift --from A*01:01', EXIT.usage, '"A*01:01" is not a release'],
    ['redux --from 9.9.9', EXIT.usage, 'no release 9.9.9'],
    ['redux -m G -m hats', EXIT.data, 'no HATS antigens'],
    ['explain -m hats', EXIT.data, 'no HATS antigens'],
    ['lift --from 3.29.0', EXIT.ok, ''],
    ['redux --lift', EXIT.ok, ''],
  ] as const)('hla %s', async ([line, status, said]) => {
    const env = { HLA_DATA_DIR: await installedData() }
    const words = line.split(' ')
    const lines = await callHla(words, { cwd: temp('.'), env })
    expect(lines).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(said) })
    if (words[0] === 'explain') return
    const table = await callHla([...words, '-d', ','], { cwd: temp('.'), env, stdin: 'id,A_1,A_2\n' })
    expect(table).toMatchObject({ status, stderr: expect.stringContaining(said) })
    if (status !== EXIT.ok) expect(table.stdout).toBe('')
  })
})

test.for(['', '--sample-from name'])('three tables in one comparison of releases, %s', async (more) => {
  const cwd = temp('three')
  mkdirSync(cwd, { recursive: true })
  const files = ['a.csv', 'b.csv', 'c.csv']
  for (const file of files) writeFileSync(`${cwd}/${file}`, 'id,A_1,A_2\n1,01:01,02:01\n')
  const words = ['diff', '3.29.0', '3.58.0', ...files.flatMap((file) => ['-i', file])]
  const env = { HLA_DATA_DIR: await installedData() }
  expect(await callHla([...words, ...more.split(' ').filter(Boolean)], { cwd, env })).toEqual({
    status: EXIT.usage,
    stdout: '',
    stderr:
      'hla: error: only one table can be read at a time by diff\n  run the command once for each file\n',
  })
})
