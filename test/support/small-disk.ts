/** A small disk of its own, where whoever runs the tests may mount one.  [disk] */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { afterAll } from 'vitest'

/** In memory; undefined without the rights to mount it. */
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

/** The same folder at another place, where nothing can be changed. */
export function readOnly(folder: string, path: string): string | undefined {
  mkdirSync(path)
  return mount(['--bind', '-o', 'ro', folder], path)
}

function mount(args: readonly string[], path: string): string | undefined {
  if (process.platform !== 'linux' || spawnSync('mount', [...args, path]).status !== 0) return undefined
  afterAll(() => spawnSync('umount', ['-l', path]))
  return path
}
