/** Missing releases that settings or variables name; empty options; the note on an old release; a full disk. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { writeAtomically } from '../../../src/io/atomic-write.ts'
import { installedData } from '../../support/installed-data.ts'
import { runHla, runShell } from '../../support/run-hla.ts'
import { hasShared } from '../../support/shared.ts'
import { smallDisk } from '../../support/small-disk.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const cwd = temp('work')
const own = join(cwd, 'home/hla/config.json')
const env = { XDG_CONFIG_HOME: join(cwd, 'home'), HLA_DATA_DIR: join(cwd, 'data') }
type Row = readonly [string, string, object, readonly string[], string, string]
const hla = (args: readonly string[], more: Record<string, string> = {}) =>
  runHla(args, { cwd, env: { ...env, ...more } })

beforeEach(() => {
  rmSync(cwd, { recursive: true, force: true })
  mkdirSync(join(cwd, 'home/hla'), { recursive: true })
})

describe('a release that is not installed', () => {
  test.for([
    [
      'by the file of the user',
      own,
      { release: '3.99.0' },
      [],
      `the setting release in ${own}`,
      `unset release --config ${own}`,
    ],
    [
      'for a command',
      own,
      { redux: { release: '3.99.0' } },
      [],
      `the setting redux.release in ${own}`,
      `unset redux.release --config ${own}`,
    ],
    [
      'by a file that is named',
      join(cwd, 'lab.json'),
      { release: '3.99.0' },
      ['--config', 'lab.json'],
      'the setting release in lab.json',
      'unset release --config lab.json',
    ],
  ] as const)('%s is named, and what to type works', async ([, file, settings, args, source, mend]: Row) => {
    writeFileSync(file, JSON.stringify(settings))
    const { status, stderr } = await hla(['redux', '-q', ...args, 'A*01:01'])
    expect({ status, stderr }).toMatchObject({ status: 3 })
    expect(stderr).toContain(
      `hla: error: IPD-IMGT/HLA 3.99.0 is not installed (${source} names it)\n  hla config ${mend}\n`,
    )
    expect(stderr).toContain('hla data install 3.99.0')
    const [line = ''] = /hla config unset .*/.exec(stderr) ?? []
    expect(await runShell(line, { cwd, env })).toMatchObject({ status: 0 })
    expect((await hla(['redux', '-q', ...args, 'A*01:01'])).status).toBe(0)
  })

  test('by a variable is named', async () => {
    const { status, stderr } = await hla(['redux', '-q', 'A*01:01'], { HLA_RELEASE: '3.99.0' })
    expect(status).toBe(3)
    expect(stderr).toContain('not installed (HLA_RELEASE names it)\n  unset HLA_RELEASE\n')
  })

  test('on the command line is said as before', async () => {
    writeFileSync(own, JSON.stringify({ release: 'starter' }))
    const { stderr } = await hla(['redux', '-q', '-r', '3.99.0', 'A*01:01'])
    expect(stderr).toContain('3.99.0 is not installed\n')
  })

  test('is warned of when it is set, and found by a check', async () => {
    const { status, stderr } = await hla(['config', 'set', 'release', '3.99.0'])
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringMatching(
        /^hla: warning: .*: release: IPD-IMGT\/HLA 3.99.0 is not installed \[no-data\]\n {2}hla data install 3.99.0/,
      ),
    })
    const check = await hla(['config', 'check'])
    expect(check).toMatchObject({ status: 2, stderr: expect.stringContaining('3.99.0 is not installed') })
    expect((await hla(['config', 'set', 'release', 'starter'])).stderr).toBe('')
    expect((await hla(['config', 'check'])).status).toBe(0)
    writeFileSync(own, JSON.stringify({ redux: { release: '3.99.0' } }))
    expect((await hla(['config', 'check'])).stderr).toContain(`${own}: redux.release: IPD-IMGT/HLA 3.99.0`)
  })
})

test.for([
  ['--remote', ['redux', '--remote', '', 'A*01:01']],
  ['--remote', ['redux', '--remote=', 'A*01:01']],
  ['--output', ['redux', '-o', '', 'A*01:01']],
  ['--release', ['redux', '-r', '', 'A*01:01']],
  ['--method', ['redux', '-m', '', 'A*01:01']],
  ['--input', ['redux', '-i', '']],
  ['--data-dir', ['redux', '--data-dir', '', 'A*01:01']],
  ['--accept', ['redux', '--accept', '', 'A*01:01']],
  ['--errors', ['redux', '--errors', '', '-i', 'in.csv']],
  ['--from', ['data', 'install', '3.58.0', '--from', '']],
  ['--release', ['serve', '-r', '']],
] as const)('%s that is empty is an error: %j', async ([flag, args]) => {
  const { status, stdout, stderr } = await hla(args)
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining(`hla: error: ${flag} is empty\n`),
  })
})

test('gene options of blend may be empty', async () => {
  expect(await hla(['blend', '-q', 'DRB1*01:01+DRB1*08:01', '--drb3', ''])).toMatchObject({
    status: 0,
    stderr: '',
  })
})

describe.skipIf(!hasShared)('the note on an old release', () => {
  test.for([
    // scripts and people who reduce typings know their release
    ['redux', ['redux', 'A*01:01'], false],
    ['version', ['version'], true],
    ['data list', ['data', 'list'], true],
  ] as const)('of %s is on a terminal only', async ([, args, isShown]) => {
    const data = { HLA_DATA_DIR: await installedData() }
    expect((await hla(args, data)).stderr).not.toContain('over a year old')
    const line = `script -qec "hla ${args.join(' ')}" /dev/null`
    const { stdout } = await runShell(line, { cwd, env: { ...env, ...data } })
    expect(stdout.includes('over a year old')).toBe(isShown)
  })
})

const disk = smallDisk(temp('disk'), 1)

test.skipIf(disk === undefined)('a full disk names the file', () => {
  const file = join(disk ?? '', 'file.json')
  const full = expect.objectContaining({ code: 'ENOSPC', path: file }) as Error
  expect(() => writeAtomically(file, Buffer.alloc(2_000_000))).toThrow(full)
})

test('a pipe in place of the settings file is looked at, and never opened', async () => {
  execFileSync('mkfifo', [own])
  expect(await hla(['redux', '-q', '-r', 'starter', 'A*01:01:01:01'])).toMatchObject({
    stdout: 'A*01:01\n',
    status: 0,
  })
})
