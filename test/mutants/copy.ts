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

/** Whether a time is over that begins now. */
export function lateAfter(seconds: number): () => boolean {
  const end = Date.now() + 1000 * seconds
  return () => Date.now() > end
}

/** `isLate`: when it says so, the program and those that it started are ended. */
export function run(
  program: string,
  words: readonly string[],
  { cwd, isLate, env = {} }: { cwd: string; isLate: () => boolean; env?: Readonly<Record<string, string>> },
) {
  return new Promise<{ readonly status: number | null; readonly isEnded: boolean }>((resolve) => {
    // a process group, so that processes of a test end with it
    const child = spawn(program, words, {
      cwd,
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, HLA_TEST_NO_BUILD: '1', CI: '1', NO_COLOR: '1', ...env },
    })
    let isEnded = false
    const end = () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
    const watch = setInterval(() => {
      if (!isLate()) return
      isEnded = true
      end()
    }, 1000)
    process.once('exit', end)
    child.on('close', (status) => {
      clearInterval(watch)
      process.off('exit', end)
      resolve({ status, isEnded })
    })
  })
}
