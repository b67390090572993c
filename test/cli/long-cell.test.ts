/** A cell of megabytes with line breaks: its table ends, and a signal ends the run in it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { runHla } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const cwd = tempFolder()('')
const HLA = join(import.meta.dirname, '../../bin/hla.cjs')
const MIB = 1024 * 1024

/** Twenty megabytes of short lines in one quoted field, between two rows. */
function writeTable(name: string, column: 'note' | 'typing'): void {
  const file = openSync(join(cwd, name), 'w')
  const [before, behind] = column === 'note' ? ['2,', ',03:01,02:01'] : ['2,no,', ',02:01']
  writeSync(file, `id,note,A_1,A_2\n1,ok,01:01,02:01\n${before}"`)
  const line = 'x\n'.repeat(MIB / 2)
  for (let mib = 0; mib < 20; mib += 1) writeSync(file, line)
  writeSync(file, `"${behind}\n3,"ok",02:01,03:01\n`)
  closeSync(file)
}

const redux = (name: string) => ['redux', '-q', '-r', 'starter', '-i', name, '-o', `${name}.out`]

describe('a cell of twenty megabytes', () => {
  beforeAll(() => {
    writeTable('note.csv', 'note')
    writeTable('typing.csv', 'typing')
  })

  test('is in one row', async () => {
    expect(await runHla(redux('note.csv'), { cwd })).toMatchObject({ status: 0, stderr: '' })
    const text = readFileSync(join(cwd, `note.csv.out`), 'latin1')
    expect(text.slice(0, 100)).toContain('1,ok,01:01,A*01:01,02:01,A*02:01\n2,"x\nx\n')
    expect(text.endsWith('x\n",03:01,A*03:01,02:01,A*02:01\n3,"ok",02:01,A*02:01,03:01,A*03:01\n')).toBe(true)
    rmSync(join(cwd, `note.csv.out`))
  })

  test('as a typing it is one failure', async () => {
    const { status, stderr } = await runHla(redux('typing.csv'), { cwd })
    expect(status).toBe(1)
    expect(stderr).toContain('typing.csv:3:A_1:')
    expect(stderr).toContain('a cell of 20,971,520 characters with spaces or line breaks is not a typing')
    for (const name of readdirSync(cwd)) if (name.startsWith('typing.csv.')) rmSync(join(cwd, name))
  })

  test.for([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('%s ends the run within it, with %i', async ([signal, status]) => {
    const run = spawn(process.execPath, [HLA, ...redux('note.csv')], { cwd, stdio: 'ignore' })
    const ended = once(run, 'exit')
    // the part of the output is opened before the first row is converted
    while (!existsSync(join(cwd, `.note.csv.out.part`))) await setTimeout(2)
    run.kill(signal)
    expect((await ended)[0]).toBe(status)
    expect(existsSync(join(cwd, `note.csv.out`))).toBe(false)
    expect(readdirSync(cwd).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})
