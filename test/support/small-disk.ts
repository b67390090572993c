/** A small separate disk, if the tests may mount one.  [disk] */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { afterAll } from 'vitest'

/** Mounts a tmpfs; undefined without permission. `files`: maximum number of files. */
export function smallDisk(path: string, megabytes: number, files?: number): string | undefined {
  mkdirSync(path)
  return mount(
    [
      '-t',
      'tmpfs',
      '-o',
      `size=${megabytes}m,mode=700${files === undefined ? '' : `,nr_inodes=${files}`}`,
      'none',
    ],
    path,
  )
}

/** Mounts the folder read-only at `path`. */
export function readOnly(folder: string, path: string): string | undefined {
  mkdirSync(path)
  return mount(['--bind', '-o', 'ro', folder], path)
}

function mount(args: readonly string[], path: string): string | undefined {
  if (process.platform !== 'linux' || spawnSync('mount', [...args, path]).status !== 0) return undefined
  afterAll(() => spawnSync('umount', ['-l', path]))
  return path
}
