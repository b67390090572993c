/**
 * Carries out a command line in the process of the tests, which takes a tenth of what a start takes. For tests of what
 * a command reads, prints and leaves; those of signals, pipes, memory and threads start the program (run-hla.ts).
 * [disk]
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../src/cli/main.ts'
import { cleanEnv, type Ran, runHla, type RunOptions } from './run-hla.ts'

/** The end of the command that was called last: environment and working folder are the process's. */
let last: Promise<unknown> = Promise.resolve()

/** An installed package under test is started. */
export function callHla(
  args: readonly string[],
  options: Pick<RunOptions, 'cwd' | 'env' | 'stdin'>,
): Promise<Ran> {
  if (process.env['HLA_TEST_PROGRAM'] !== undefined) return runHla(args, options)
  const ran = last.then(() => call(args, options))
  last = ran.catch(() => undefined)
  return ran
}

async function call(
  args: readonly string[],
  { cwd, env = {}, stdin = '' }: Pick<RunOptions, 'cwd' | 'env' | 'stdin'>,
): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'hla-call-'))
  const [input, output, messages] = [join(folder, 'in'), join(folder, 'out'), join(folder, 'err')]
  writeFileSync(input, stdin)
  const streams = {
    input: openSync(input, 'r'),
    output: openSync(output, 'a'),
    messages: openSync(messages, 'a'),
  }
  const before = { env: process.env, cwd: process.cwd() }
  process.env = { ...cleanEnv(cwd), ...env }
  process.chdir(cwd)
  try {
    const status = await main(['node', 'hla', ...args], streams)
    return { status, stdout: readFileSync(output, 'utf8'), stderr: readFileSync(messages, 'utf8') }
  } finally {
    process.env = before.env
    process.chdir(before.cwd)
    for (const one of Object.values(streams)) closeSync(one)
    rmSync(folder, { recursive: true })
  }
}
