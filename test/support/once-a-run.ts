/**
 * Resources that all test files of a run share: the first process creates one, the others wait for its description.
 * [disk]
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { RUN_FOLDER } from './run-hla.ts'

/**
 * `make` gets a new folder, and returns JSON data for the other processes; programs that it starts outlive this
 * process.
 */
export async function onceARun<T>(name: string, make: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(RUN_FOLDER, name)
  const description = join(RUN_FOLDER, `${name}.json`)
  if (claimed(folder)) {
    const made = await make(folder)
    writeFileSync(`${description}.part`, JSON.stringify(made))
    renameSync(`${description}.part`, description)
    return made
  }
  for (let tries = 0; !existsSync(description); tries += 1) {
    if (tries > 1200) throw new Error(`${name} was not made in two minutes`)
    await pause(100)
  }
  return JSON.parse(readFileSync(description, 'utf8')) as T // the result of `make`
}

/** Whether this process created the folder; creation is atomic. */
function claimed(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

/** File in the resource's folder with the ids of processes that outlive their creator, one per line. */
export const PIDS = 'pids'

export function stopLasting(name: string, run: string): void {
  const list = join(run, name, PIDS)
  if (!existsSync(list)) return
  for (const pid of readFileSync(list, 'utf8').trim().split('\n')) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // the process has ended
    }
  }
}
