/** Real programs: the client libraries people have, against the service as it runs. */
import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { startDrive } from '../support/drive.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

/** Where `npm install --prefix` put `@googleapis/drive`. */
const modules = join(process.env['HLA_CLIENTS'] ?? '', 'node_modules')
const hasNodeClient = hasShared && existsSync(join(modules, '@googleapis/drive'))
const hasPythonClient = hasShared && answersTo('/usr/bin/python3', ['-c', 'import googleapiclient'])

if (hasShared && !hasNodeClient)
  process.stderr.write('skipped: HLA_CLIENTS names no folder with @googleapis/drive\n')
if (hasShared && !hasPythonClient) process.stderr.write('skipped: no googleapiclient for /usr/bin/python3\n')

const temp = tempFolder()

describe('every check passes', () => {
  test.skipIf(!hasNodeClient)("Google's client for Node", { timeout: 120_000 }, async () => {
    const folder = temp('node')
    mkdirSync(folder)
    copyFileSync(sharedPath('storage/clients/node/smoke.mjs'), join(folder, 'smoke.mjs'))
    symlinkSync(modules, join(folder, 'node_modules'))
    await expectAll(process.execPath, join(folder, 'smoke.mjs'))
  })

  test.skipIf(!hasPythonClient)("Google's client for Python", { timeout: 120_000 }, () =>
    expectAll('/usr/bin/python3', sharedPath('storage/clients/python/smoke_googleapi.py')),
  )
})

async function expectAll(program: string, script: string): Promise<void> {
  const drive = await startDrive({ args: ['--allow-local-notifications'] })
  const env = { ...process.env, BASE_URL: drive.url, TOKEN: drive.token }
  // they leave with 1 when any check failed
  const { stdout } = await promisify(execFile)(program, [script], { env }).catch(
    (error: { readonly stdout: string }) => error,
  )
  const checks = [...stdout.matchAll(/^(ok|FAIL) +(.*)$/gm)].map(([, result, text = '']) => ({
    result,
    text,
  }))
  const failed = checks.filter(({ result }) => result === 'FAIL')
  expect(failed).toEqual([])
  expect(checks.filter(({ result }) => result === 'ok').length).toBeGreaterThan(25)
}

function answersTo(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
