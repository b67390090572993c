/** The library bundled into another program, without a folder of ours. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import { beforeAll, expect, test } from 'vitest'
import { packagePath, packageVersion } from '../../src/package-root.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const project = temp('project')
const input = join(project, 'main.js')

const PROGRAM = `
import { openOperations, openRelease, redux } from 'hla'
const { cwd, mac, version } = openOperations('starter')
console.log(JSON.stringify([
  redux(openRelease('starter'), 'A*01:01:01:01', 'G').text,
  mac({ gl_string: 'A*01:AB' }).gl_string,
  cwd({ gl_string: 'A*01:01/A*01:04N/A*01:06' }).cwd,
  version({}).hla_version,
]))
`

beforeAll(() => {
  mkdirSync(join(project, 'node_modules'), { recursive: true })
  symlinkSync(packagePath(), join(project, 'node_modules/hla'))
  writeFileSync(input, PROGRAM)
})

type Format = 'esm' | 'cjs'

async function byEsbuild(format: Format, outfile: string): Promise<void> {
  await build({
    entryPoints: [input],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format,
    logLevel: 'error',
    logOverride: { 'empty-import-meta': 'silent' },
  })
}

/** Bundles with Rolldown, which has Rollup's interface and options. */
async function byRolldown(format: Format, file: string): Promise<void> {
  const bundle = await rolldown({ input, platform: 'node', logLevel: 'silent' })
  await bundle.write({ file, format })
  await bundle.close()
}

test.for([
  ['esbuild', 'esm', byEsbuild],
  ['esbuild', 'cjs', byEsbuild],
  ['rolldown', 'esm', byRolldown],
  ['rolldown', 'cjs', byRolldown],
] as const)('%s, %s', async ([name, format, bundle]) => {
  const made = temp(`${name}.${format === 'esm' ? 'mjs' : 'cjs'}`)
  await bundle(format, made)
  // another program's folder that resembles ours
  const elsewhere = temp(`${name}-${format}`)
  mkdirSync(join(elsewhere, 'data/tables'), { recursive: true })
  writeFileSync(join(elsewhere, 'package.json'), '{"version":"0.0.0"}')
  const program = join(elsewhere, format === 'esm' ? 'program.mjs' : 'program.cjs')
  cpSync(made, program)
  const text = execFileSync(process.execPath, [program], { cwd: elsewhere, encoding: 'utf8' })
  expect(JSON.parse(text)).toEqual([
    'A*01:01:01G',
    'A*01:01/A*01:02',
    'A*01:01/A*01:04N/A*01:06',
    packageVersion(),
  ])
})
