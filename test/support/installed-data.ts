/**
 * A data folder with the published releases 3.29.0 and 3.58.0 and the MAC list, installed once per test run.  [disk]
 */
import { onceARun } from './once-a-run.ts'
import { runHla } from './run-hla.ts'
import { sharedPath } from './shared.ts'

let installed: Promise<string> | undefined

/** Folder that tests must not change. */
export function installedData(): Promise<string> {
  return (installed ??= onceARun('data', install))
}

async function install(folder: string): Promise<string> {
  const from = ['--from', sharedPath('upstream/IMGTHLA')]
  const mac = ['--mac', sharedPath('upstream/mac/numer.v3.zip')]
  for (const args of [
    ['data', 'install', '3.58.0', ...from, ...mac],
    ['data', 'install', '3.29.0', ...from],
  ]) {
    const { status, stderr } = await runHla(args, { cwd: folder, env: { HLA_DATA_DIR: folder } })
    if (status !== 0) throw new Error(stderr)
  }
  return folder
}
