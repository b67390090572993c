/**
 * A data folder with the published releases 3.29.0 and 3.58.0 and the MAC list, installed once per test run.  [disk]
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { RUN_FOLDER, runHla } from './run-hla.ts'
import { sharedPath } from './shared.ts'

let installed: Promise<string> | undefined

/** Folder that tests must not change. */
export function installedData(): Promise<string> {
  return (installed ??= install(join(RUN_FOLDER, 'data')))
}

async function install(folder: string): Promise<string> {
  if (!existsSync(folder)) await installAt(folder)
  return folder
}

/** Test files in other processes may install at the same time: the first one wins. */
async function installAt(folder: string): Promise<void> {
  const part = `${folder}-${process.pid}`
  mkdirSync(part, { recursive: true })
  const from = ['--from', sharedPath('upstream/IMGTHLA')]
  const mac = ['--mac', sharedPath('upstream/mac/numer.v3.zip')]
  for (const args of [
    ['data', 'install', '3.58.0', ...from, ...mac],
    ['data', 'install', '3.29.0', ...from],
  ]) {
    const { status, stderr } = await runHla(args, { cwd: part, env: { HLA_DATA_DIR: part } })
    if (status !== 0) throw new Error(stderr)
  }
  try {
    renameSync(part, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(part, { recursive: true, force: true })
  }
}
