/** Conversions requested by the client libraries. */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { noteSkipped } from '../../support/skipped.ts'
import { tempFolder } from '../../support/temp.ts'

const PYTHON = '/usr/bin/python3'
const SCRIPT = join(import.meta.dirname, '../../support/python_conversion.py')
const modules = join(process.env['HLA_CLIENTS'] ?? '', 'node_modules')
const hasNodeClient = existsSync(join(modules, '@googleapis/drive'))
const hasPythonClient = isThere(PYTHON, ['-c', 'import googleapiclient'])
if (!hasNodeClient) noteSkipped('HLA_CLIENTS names no folder with @googleapis/drive')
if (!hasPythonClient) noteSkipped(`no googleapiclient for ${PYTHON}`)

const temp = tempFolder()
let drive: Drive
beforeAll(async () => {
  drive = await startDrive({ env: { HLA_RELEASE: 'starter' } })
})

function isThere(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.skipIf(!hasPythonClient)("Python's, as PyDrive2 uses it", async () => {
  const { stdout } = await promisify(execFile)(PYTHON, [SCRIPT, drive.url, drive.token])
  expect(stdout.trim().split('\n')).toEqual([
    'ok lossless_string',
    'ok remove_bom',
    'ok add_remove_bom',
    'ok table',
  ])
})

const PROGRAM = `
import { auth, drive as makeDrive } from '@googleapis/drive'

const base = process.env.BASE_URL
const client = new auth.OAuth2()
client.setCredentials({ access_token: process.env.TOKEN })
const drive = makeDrive({ version: 'v2', auth: client, rootUrl: base + '/' })
const csv = 'id,A_1\\n1,A*01:01:01:01\\n'
const media = { mimeType: 'text/csv', body: csv }
const { data } = await drive.files.insert({ convert: true, requestBody: { title: 'donors.csv' }, media }, { rootUrl: base + '/' })
const exported = await drive.files.export({ fileId: data.id, mimeType: 'application/jsonl; hla-method=lgx' }, { responseType: 'text' })
process.stdout.write(data.mimeType + ' ' + exported.data)
`

test.skipIf(!hasNodeClient)("Google's for Node", async () => {
  const folder = temp('node')
  mkdirSync(folder)
  symlinkSync(modules, join(folder, 'node_modules'))
  writeFileSync(join(folder, 'program.mjs'), PROGRAM)
  const env = { ...process.env, BASE_URL: drive.url, TOKEN: drive.token }
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'program.mjs')], { env })
  expect(stdout).toBe(
    'application/vnd.google-apps.spreadsheet ' +
      '{"id":"1","A_1":"A*01:01:01:01","A_1_lgx":"A*01:01","hla_status":"ok","hla_errors":""}\n',
  )
})
