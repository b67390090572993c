/** Builds the battery with one changed file of the program, and runs it in a child process.  [disk] */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build, type Plugin } from 'esbuild'
import { makeCases } from './cases.ts'
import type { Mutant } from './mutants.ts'

const ROOT = join(import.meta.dirname, '../..')
const MOST_MS = 120_000

export interface Battery {
  /** The check that caught the mutant; empty if none did. */
  readonly run: (mutant?: Mutant) => Promise<string>
  readonly end: () => void
}

export function makeBattery(): Battery {
  const cache = join(ROOT, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'mutants-'))
  const cases = join(folder, 'cases.json')
  writeFileSync(cases, JSON.stringify(makeCases()))
  return {
    run: async (mutant) => outcomeOf(await bundle(folder, mutant), cases),
    end: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** @throws {Error} the text does not occur in the file exactly once */
export function mutated({ file, text, instead }: Mutant): string {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const pieces = source.split(text)
  if (pieces.length !== 2) throw new Error(`${file} has ${pieces.length - 1} times: ${text}`)
  return pieces.join(instead)
}

async function bundle(folder: string, mutant: Mutant | undefined): Promise<string> {
  const file = join(folder, `${mutant?.name.replaceAll(/\W+/g, '-') ?? 'unchanged'}.mjs`)
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['test/mutants/battery.ts'],
    outfile: file,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
    // so that files are found beside the source
    define: { 'import.meta.dirname': JSON.stringify(join(ROOT, 'test/support')) },
    plugins: mutant === undefined ? [] : [replacing(mutant)],
  })
  return file
}

function replacing(mutant: Mutant): Plugin {
  const path = resolve(ROOT, mutant.file)
  return {
    name: 'mutant',
    setup: (building) => {
      building.onLoad({ filter: /\.ts$/ }, (asked) =>
        asked.path === path ? { contents: mutated(mutant), loader: 'ts' } : undefined,
      )
    },
  }
}

const run = promisify(execFile)

async function outcomeOf(file: string, cases: string): Promise<string> {
  // a changed program does not take what the sound one made for the run (test/support/made-once.ts)
  const { HLA_TEST_RUN: _run, ...env } = process.env
  try {
    await run(process.execPath, [file, cases], { cwd: ROOT, env, timeout: MOST_MS, maxBuffer: 1 << 26 })
    return ''
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      killed,
    } = error as { stdout?: string; stderr?: string; killed?: boolean }
    if (killed === true) return 'it does not end'
    if (stdout === '') throw new Error(`the battery does not run: ${stderr.slice(0, 2000)}`, { cause: error })
    return stdout
  }
}
