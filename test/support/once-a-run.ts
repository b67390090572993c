/** What all test files of a run share: the first that needs it makes it, the others wait for its description.  [disk] */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { RUN_FOLDER } from './run-hla.ts'

/** The folder is made for `make`, which returns what the others need as JSON; what it starts outlives this process. */
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
  return JSON.parse(readFileSync(description, 'utf8')) as T // what `make` has returned
}

/** Making a folder is atomic: one process has made it. */
function claimed(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

/** In the folder of what is made: processes that outlive who started them, a line each. */
export const PIDS = 'pids'

export function stopLasting(name: string, run: string): void {
  const list = join(run, name, PIDS)
  if (!existsSync(list)) return
  for (const pid of readFileSync(list, 'utf8').trim().split('\n')) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // it has ended
    }
  }
}
