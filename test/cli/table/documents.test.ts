/** HML and donor files from the command line: messages, file names, provenance, memory, and a service's answers. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { callHla } from '../../support/call-hla.ts'
import { installedData } from '../../support/installed-data.ts'
import { peakMemory } from '../../support/peak-memory.ts'
import { IS_LONG } from '../../support/rounds.ts'
import { hasShared } from '../../support/shared.ts'
import { tempFolder } from '../../support/temp.ts'

const folder = tempFolder()
const cwd = folder('.')
const TABLE = 'id,A_1,A_2,B_1,B_2,DRB1_1,DRB1_2\nD1,01:01,02:01,07:02,08:01,15:01,03:01\nD2,99:99,01:01,07:02,44:02,04:01,\n' // prettier-ignore
writeFileSync(folder('donors.csv'), TABLE)

const DOCUMENTS = [
  ['hml', 'date=2026-01-02'],
  ['donors', 'updateMode=diff,changeType=N,donorType=D'],
] as const

function args(format: string, set: string, ...more: readonly string[]): string[] {
  return ['redux', '-r', 'starter', '-i', 'donors.csv', '--output-format', format, '--set', set, ...more]
}

test('what a format needs is said with what to type, which works', async () => {
  const asked = ['redux', '-q', '-r', 'starter', '-i', 'donors.csv', '--output-format', 'donors']
  const { status, stderr } = await callHla(asked, { cwd })
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `hla: error: Atlas donor import needs updateMode, changeType, donorType
  --set updateMode=diff|full|check,changeType=N|NU|U|D,donorType=D|C|B, or --person-columns changeType=COLUMN,donorType=COLUMN
`,
  })
})

test('--second-blank homozygous writes a single typing twice', async () => {
  writeFileSync(folder('single.csv'), 'id,A_1,A_2\nS1,A*01:01,\n')
  const asked = ['redux', '-q', '-r', 'starter', '-i', 'single.csv', '--output-format', 'pypop']
  expect((await callHla(asked, { cwd })).stdout).toContain('S1\t01:01\t****\n')
  const both = await callHla([...asked, '--second-blank', 'homozygous'], { cwd })
  expect(both).toMatchObject({ stdout: expect.stringContaining('S1\t01:01\t01:01\n') as string, status: 0 })
})

test('the plan and stderr say which expected fields are missing', async () => {
  const said = 'HML without project-name, reporting-center, typing-method, test-id; --set '
  expect((await callHla(args('hml', 'date=2026-01-02', '--plan'), { cwd })).stdout).toContain(
    `rows       ${said}`,
  )
  expect((await callHla(args('hml', 'date=2026-01-02'), { cwd })).stderr).toContain(`hla: note: ${said}`)
})

describe.for(DOCUMENTS)('%s', ([format, set]) => {
  test('standard output gets the same bytes, and the provenance describes the file', async () => {
    const output = `p.${format === 'hml' ? 'xml' : 'json'}`
    const alone = await callHla(args(format, set, '-o', output, '--provenance', '--errors', 'e.csv'), { cwd })
    expect(alone.status).toBe(1)
    const bytes = readFileSync(folder(output))
    const { outputs = [], output: one } = JSON.parse(readFileSync(folder(`${output}.hla.json`), 'utf8')) as { outputs?: readonly unknown[]; output?: unknown } // prettier-ignore
    expect(JSON.stringify([outputs, one])).toContain(createHash('sha256').update(bytes).digest('hex'))
    expect(readFileSync(folder('e.csv'), 'utf8')).toContain('not-in-format')
    const piped = await callHla(args(format, set), { cwd })
    expect(piped.stdout).toBe(bytes.toString())
  })

  test('a run that writes no person leaves no file, and says why', async () => {
    writeFileSync(folder('none.csv'), 'id,A_1,A_2\nD1,99:99,\n')
    const asked = ['redux', '-q', '-r', 'starter', '-i', 'none.csv', '--output-format', format, '--set', set, '-o', 'none.out'] // prettier-ignore
    const { status, stderr } = await callHla(asked, { cwd })
    expect(status).toBeGreaterThan(0)
    expect(stderr).toContain('needs at least one person, and none was written')
    expect(existsSync(folder('none.out'))).toBe(false)
  })

  test.runIf(hasShared)('a hundred thousand persons take less than 150 MB', async () => {
    const rows = Array.from({ length: IS_LONG ? 100_000 : 20_000 }, (_, at) => `D${at},01:01,02:01,07:02,${at % 2 ? '08:01' : '44:02'},15:01,04:01`) // prettier-ignore
    writeFileSync(folder('many.csv'), `${TABLE.split('\n')[0] ?? ''}\n${rows.join('\n')}\n`)
    const { status, megabytes } = await peakMemory(cwd, ['redux', '-q', '-i', 'many.csv', '--output-format', format, '--set', set, '-o', 'many.out']) // prettier-ignore
    expect(status).toBe(0)
    expect(megabytes).toBeLessThan(150)
  })
})

test.runIf(hasShared)('the release is that of the written names', async () => {
  const env = { HLA_DATA_DIR: await installedData() }
  const asked = [
    'lift',
    '-q',
    '--to',
    '3.29.0',
    '-i',
    'donors.csv',
    '-c',
    'B_1,B_2',
    '--set',
    'date=2026-01-02',
  ]
  const { stdout } = await callHla([...asked, '--output-format', 'hml'], { cwd, env })
  expect(stdout.match(/allele-version="[\d.]+"/g)?.at(0)).toBe('allele-version="3.29.0"')
  expect((await callHla([...asked.slice(0, -2), '--output-format', 'fhir'], { cwd, env })).stdout).toContain('hla#3.29.0#HLA-B*07:02') // prettier-ignore
})
