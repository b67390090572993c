/** A machine that synchronises a folder with a store: its files, and `hla drive` with a state of its own.  [disk, network] */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callHla } from './call-hla.ts'
import { type Drive, PROGRAM, startDrive } from './drive.ts'
import { freePort } from './free-port.ts'
import { type Ran, runHla } from './run-hla.ts'

export interface Machine {
  /** Folder of its files. */
  readonly root: string
  readonly state: string
  readonly hla: (...args: string[]) => Promise<Ran>
  /** `hla drive` in a process of its own, beside others. */
  readonly beside: (...args: string[]) => Promise<Ran>
  /** Starts `hla drive`, to be killed. */
  readonly begin: (...args: string[]) => ChildProcess
}

interface Reached {
  readonly url: string
  readonly token: string
}

/** `folder` holds the files in `NAME`, the state in `NAME-state`. */
export function makeMachine(store: () => Reached, folder: (name: string) => string, name: string): Machine {
  const root = folder(name)
  const state = folder(`${name}-state`)
  mkdirSync(root, { recursive: true })
  const own = () => {
    const { url, token } = store()
    const env = { HLA_DRIVE_URL: url, HLA_DRIVE_TOKEN: token, XDG_STATE_HOME: state }
    return { cwd: folder('.'), env }
  }
  return {
    root,
    state,
    hla: (...args) => callHla(['drive', ...args], own()),
    beside: (...args) => runHla(['drive', ...args], own()),
    begin: (...args) =>
      spawn(process.execPath, [PROGRAM, 'drive', ...args], {
        env: { ...process.env, ...own().env },
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
  }
}

export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

/** Path -> text. */
export function readFiles(root: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
    const path = join(below, entry.name)
    if (entry.isDirectory()) Object.assign(found, readFiles(root, path))
    else found[path] = readFileSync(join(root, path), 'utf8')
  }
  return found
}

/** A store that is stopped, put back to an earlier state and started again, always at one address. */
export interface RestorableStore {
  readonly drive: () => Drive
  readonly restart: (signal?: NodeJS.Signals, meanwhile?: () => void) => Promise<void>
  /** Keeps the state of this moment as a volume's snapshot does. */
  readonly keepSnapshot: () => Promise<void>
  readonly returnToSnapshot: () => Promise<void>
  readonly stop: () => Promise<unknown>
}

export async function startRestorable(folder: string): Promise<RestorableStore> {
  const args = ['--port', String(await freePort()), '--access-log', 'off']
  const snapshot = `${folder}.snapshot`
  let drive = await startDrive({ folder, args })
  const restart = async (signal: NodeJS.Signals = 'SIGTERM', meanwhile = () => {}) => {
    await drive.stop(signal)
    meanwhile()
    drive = await startDrive({ folder, args, token: drive.token })
  }
  return {
    drive: () => drive,
    restart,
    keepSnapshot: () =>
      whileStopped(drive.child, () => {
        rmSync(snapshot, { recursive: true, force: true })
        copyStore(folder, snapshot)
      }),
    returnToSnapshot: () =>
      restart('SIGKILL', () => {
        rmSync(folder, { recursive: true })
        copyStore(snapshot, folder)
      }),
    stop: () => drive.stop(),
  }
}

/** Does `work` at one moment of a process. */
async function whileStopped(child: ChildProcess, work: () => void): Promise<void> {
  const isStopped = () =>
    process.platform !== 'linux' || / T /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8'))
  child.kill('SIGSTOP')
  try {
    while (!isStopped()) await pause(1)
    work()
  } finally {
    child.kill('SIGCONT')
  }
}

/** Without the socket of the service, which cannot be copied. */
function copyStore(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.sock') })
}

/** Puts `folder` in the place of `other`. */
export function replaceFolder(other: string, folder: string): void {
  rmSync(other, { recursive: true, force: true })
  renameSync(folder, other)
}
