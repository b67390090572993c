/**
 * Carries out a command line in the process of the tests, which takes a tenth of what a start takes. For tests of what
 * a command reads, prints and leaves; those of signals, pipes, memory and threads start the program (run-hla.ts).
 * [disk]
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../src/cli/main.ts'
import { cleanEnv, type Ran, runHla, type RunOptions, runShell } from './run-hla.ts'

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

/** Standard output of a command. @throws {Error} it fails: what it told */
export async function printedBy(
  args: readonly string[],
  options: Pick<RunOptions, 'cwd' | 'env' | 'stdin'>,
): Promise<string> {
  const { status, stdout, stderr } = await callHla(args, options)
  if (status !== 0) throw new Error(stderr)
  return stdout
}

const COMMAND = /^hla(?: +(?:'[^']*'|[\w./:=,@%+^-])+)+$/

/** Runs a line of bash. Commands, with words as they are or in single quotes and `; ` between them, are called. */
export async function callLine(line: string, options: Pick<RunOptions, 'cwd' | 'env'>): Promise<Ran> {
  const commands = line.split('; ')
  if (!commands.every((command) => COMMAND.test(command))) return runShell(line, options)
  const all = { stdout: '', stderr: '', status: 0 }
  for (const command of commands) {
    const words = [...command.matchAll(/(?:'[^']*'|[^ '])+/g)].map(([word]) => word.replaceAll("'", ''))
    const { stdout, stderr, status } = await callHla(words.slice(1), options)
    Object.assign(all, { stdout: all.stdout + stdout, stderr: all.stderr + stderr, status })
  }
  return all
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
