/**
 * Every option in the packages of other languages, the workflows and the recipes is a current option of the program.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadPrograms } from '../../src/cli/commands/programs.ts'
import { everyOption } from '../../src/cli/options/program-facts.ts'
import { packagePath } from '../../src/package-root.ts'

const FOLDERS = [
  'clients/python/src',
  'clients/r/R',
  'docs/workflows',
  'docs/recipes',
  'docs/how-to',
  'docs/drive',
]

/**
 * Options of other programs in these files: schedulers, workflow programs, parallel, curl, sqlite, and their own
 * scripts.
 */
const OF_OTHERS = new Set([
  'array', 'cluster', 'cores', 'cpus-per-task', 'data-binary', 'default-container', 'default-resources', 'dependency', 'fail', 'halt', 'header-lines',
  'job-name', 'jobs', 'kill-on-invalid-dep', 'max-time', 'mem', 'no-container', 'parsable', 'parts', 'profile', 'requeue', 'rerun-incomplete', 'retry', 'show-error',
  'silent', 'snakefile', 'sshlogin', 'table', 'time', 'wrap', 'delete', 'include', 'modify-window', 'link-dest', 'data', 'header', 'data-urlencode', 'depth', 'branch',
]) // prettier-ignore

test.for(FOLDERS)('%s', async (folder) => {
  const shown = everyOption(await loadPrograms()).filter(({ option }) => !option.hidden)
  const known = new Set(shown.flatMap(({ option }) => option.long?.slice(2) ?? []))
  for (const name of ['help', 'version']) known.add(name)
  const root = packagePath(folder)
  const used = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => join(root, file))
    .filter((file) => statSync(file).isFile() && !/\.(?:png|svg|gz|pyc)$/.test(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(?<![\w-])--([a-z][a-z-]+[a-z])/g)])
    .map(([, name = '']) => name)
  expect(used.length).toBeGreaterThan(0)
  expect([...new Set(used)].filter((name) => !known.has(name) && !OF_OTHERS.has(name))).toEqual([])
})
