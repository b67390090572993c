/** The suite where optional programs are missing: its files are collected, and what needs one is skipped by name. */
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packagePath } from '../src/package-root.ts'
import { tempFolder } from './support/temp.ts'

const temp = tempFolder()

/** Files that start programs, or ask whether they are there. */
function filesStarting(): string[] {
  const names = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name}`)
    .filter((file) =>
      /\b(?:hasProgram|answersTo|spawnSync|execFileSync)\(|\bSWIFT\b|\bhasChromium\b/.test(
        readFileSync(packagePath(file), 'utf8'),
      ),
    )
}

test('is collected with no program but Node, npm and a shell', async () => {
  const bin = temp('bin')
  mkdirSync(bin)
  const { stdout: found } = await promisify(execFile)('bash', ['-c', 'command -v node npm sh bash env'])
  for (const path of found.trim().split('\n')) symlinkSync(path, join(bin, path.split('/').at(-1) ?? ''))
  const files = filesStarting()
  expect(files).toContain('test/drive/bucket-store.test.ts')
  const list = temp('tests.json')
  const words = ['list', '--config', 'test/vitest.config.ts', '--maxWorkers', '1', `--json=${list}`, ...files]
  const { HLA_TEST_CUT: _cut, HLA_TEST_WING: _wing, HLA_TEST_RUN: _run, ...rest } = process.env
  const { stderr } = await promisify(execFile)(
    process.execPath,
    [packagePath('node_modules/vitest/vitest.mjs'), ...words],
    { cwd: packagePath(), env: { ...rest, PATH: bin, HLA_TEST_NO_BUILD: '1' }, maxBuffer: 1e8 },
  )
  // wholly skipped files are not in the list; one that cannot be collected ends it with an error
  const listed = JSON.parse(readFileSync(list, 'utf8')) as readonly { readonly file: string }[]
  expect(listed.map(({ file }) => file)).toContain(packagePath('test/drive/deploy.test.ts'))
  for (const program of ['Swift', 'nginx', 'docker-compose', 'slurm', 'Rscript', 'snakemake'])
    expect(stderr).toMatch(new RegExp(`skipped: .*${program}`, 'i'))
})
