/**
 * A change of one message, one digit of an answer, one header convention or one HTTP status, also in the store, shows
 * in the freeze, and nothing else does.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packagePath } from '../../src/package-root.ts'
import { tempFolder } from '../support/temp.ts'
import {
  freezeCommand,
  freezeRequest,
  type FrozenRecord,
  freezeTable,
  serveStarter,
  type Service,
} from './faces.ts'
import { differences, frozenText } from './frozen.ts'
import type { FrozenCommand, FrozenTable } from './inputs.ts'
import { openDay, scriptSteps } from './store-day.ts'

const temp = tempFolder()
const services: Service[] = []
afterAll(() => Promise.all(services.map((service) => service.end())))

/** A copy of the built program with `from` replaced by `to` in each script that contains it. */
function changedCopy(name: string, from: string, to: string): string {
  const copy = temp(name)
  for (const part of ['bin', 'data', 'dist', 'package.json'])
    cpSync(packagePath(part), join(copy, part), { recursive: true })
  symlinkSync(packagePath('node_modules'), join(copy, 'node_modules'))
  const scripts = [...readdirSync(join(copy, 'dist')).filter((file) => file.endsWith('.script')).map((file) => join('dist', file)), 'data/starter/alleles.tsv'] // prettier-ignore
  const having = scripts.filter((file) => readFileSync(join(copy, file), 'utf8').includes(from))
  expect(having, `no part of the program has ${from}: name what it says now`).not.toEqual([])
  for (const file of having) {
    writeFileSync(join(copy, file), readFileSync(join(copy, file), 'utf8').replaceAll(from, to))
  }
  if (having.includes('data/starter/alleles.tsv')) {
    // the compiled file, before the build fills it with files
    writeFileSync(join(copy, 'dist/lib/package-files.js'), 'export const PACKAGE_FILES = {}\n')
    const { status, stderr } = spawnSync(process.execPath, ['dist/lib/reference/starter/starter-build.js'], {
      cwd: copy,
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  }
  return join(copy, 'bin/hla.cjs')
}

const COMMANDS: readonly FrozenCommand[] = [
  { args: ['redux', '-r', 'starter', 'A*24:329'] },
  { args: ['redux', '-r', 'starter', '-m', 'P', 'A*02:01'] },
]
const TABLES: readonly FrozenTable[] = [
  { name: 'DRB', file: 't.csv', bytes: Buffer.from('id,DRB_1,DRB_2\n1,01:01,03:01\n'), args: [] },
]
const REQUESTS = [
  ['GET', '/ard/A*99:99+'],
  ['GET', '/ard/A*01:01:01:01'],
] as const

async function frozen(program?: string): Promise<string> {
  const folder = temp(`runs ${services.length}`)
  mkdirSync(folder)
  const service = await serveStarter(folder, program)
  services.push(service)
  const setting = { folder, service, ...(program === undefined ? {} : { program }) }
  const commands = await Promise.all(COMMANDS.map((one) => freezeCommand(one, setting)))
  const tables = await Promise.all(TABLES.map((one) => freezeTable(one, setting)))
  const requests = await Promise.all(REQUESTS.map((one) => freezeRequest(one, setting)))
  return frozenText([...commands, ...tables, ...requests])
}

/** Of the program as it is. */
let sound: Promise<string> | undefined

test('one HTTP status of the store', { timeout: 900_000 }, async () => {
  const steps = scriptSteps().slice(0, 17)
  const answered = async (program?: string) => {
    const { ask, drive } = await openDay(undefined, program)
    const records: FrozenRecord[] = []
    for (const step of steps) records.push(await ask(step))
    await drive.stop()
    return frozenText(records)
  }
  const changed = changedCopy('store', '412,"conditionNotMet"', '428,"conditionNotMet"')
  const found = differences(await answered(), await answered(changed))
  expect(found).toEqual([
    '=== files.17: ann PATCH files/$report [if-match: $e] {"title":"too late"}\n@@ -1,2 +1,2 @@\n-412\n+428\n   conditionNotMet: Precondition Failed (header If-Match)\n',
  ])
})

test.for([
  ['one message', 'is not fully covered by', 'is not wholly covered by', ['$ hla redux -r starter A*24:329']],
  ['one digit of an answer', '\tA*02:01P\t', '\tA*02:02P\t', ['$ hla redux -r starter -m P A*02:01']],
  ['one header convention', 'locus   DRB1   DRB ', 'locus   DRB1   DRC ', ['table: DRB']],
  [
    'one HTTP status',
    'about:"typing",exit:1,status:400',
    'about:"typing",exit:1,status:409',
    ['GET /ard/A*99:99+'],
  ],
] as const)('%s', { timeout: 900_000 }, async ([name, from, to, changed]) => {
  const before = await (sound ??= frozen())
  const after = await frozen(changedCopy(name, from, to))
  expect(differences(before, before)).toEqual([])
  expect(differences(before, after).map((one) => one.slice(4, one.indexOf('\n')))).toEqual(changed)
})
