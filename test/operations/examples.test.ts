/** The examples that help shows are what the program does. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/operations/registry.ts'
import { installedData } from '../support/installed-data.ts'
import { RUN_FOLDER, runShell } from '../support/run-hla.ts'
import { hasShared } from '../support/shared.ts'

const cwd = join(RUN_FOLDER, 'examples')
mkdirSync(cwd, { recursive: true })

describe.skipIf(!hasShared).concurrent('examples', () => {
  test.for(OPERATIONS.flatMap(({ examples }) => examples))('$command', async (example) => {
    const env = { HLA_DATA_DIR: await installedData() }
    const { stdout, status } = await runShell(example.command, { cwd, env })
    expect(stdout).toBe(`${example.output}\n`)
    expect(status).toBe(example.exit ?? 0)
  })
})

test('every operation on typings has one', () => {
  const without = OPERATIONS.filter(({ subject, examples }) => subject !== undefined && examples.length === 0)
  expect(without.map(({ name }) => name)).toEqual([])
})
