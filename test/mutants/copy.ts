/** Copies of the project beside it, in which programs run.  [disk, process] */
import { spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What a copy shares with the project, or does not need. */
const LEFT_OUT = new Set(['node_modules', '.git'])

/** Longer than compiling and building takes on a busy machine. */
export const MAX_BUILD_SECONDS = 600

/** A copy beside the project `root`, so that paths to siblings of the project still work. `root` must be built. */
export function copyProject(root: string): { readonly folder: string; readonly end: () => void } {
  const folder = mkdtempSync(join(dirname(root), '.mutant-'))
  // programs that tests start as another user read it, too
  chmodSync(folder, 0o755)
  for (const part of readdirSync(root).filter((name) => !LEFT_OUT.has(name)))
    cpSync(join(root, part), join(folder, part), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const end = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', end)
  return { folder, end }
}

/** `seconds`: after them the program and those that it started are ended. */
export function run(
  program: string,
  words: readonly string[],
  { cwd, seconds, env = {} }: { cwd: string; seconds: number; env?: Readonly<Record<string, string>> },
) {
  return new Promise<{ status: number | null }>((resolve) => {
    // a process group, so that processes of a test end with it
    const child = spawn(program, words, {
      cwd,
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, HLA_TEST_NO_BUILD: '1', CI: '1', NO_COLOR: '1', ...env },
    })
    const end = () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
    const timer = setTimeout(end, seconds * 1000)
    process.once('exit', end)
    child.on('close', (status) => {
      clearTimeout(timer)
      process.off('exit', end)
      resolve({ status })
    })
  })
}
