/** `hla drive fsck|backup|restore|gc|status`: maintenance of a store. */
import { statSync } from 'node:fs'
import { LIBRARY_CHECKS } from '../../domain/upkeep/row-checks.ts'
import { type BackupReport, backup, restore } from '../../persistence/upkeep/backup.ts'
import type { GarbageReport } from '../../persistence/upkeep/collect-garbage.ts'
import { type FsckOptions, fsck } from '../../persistence/upkeep/fsck.ts'
import { EXIT } from '../../../io/exit-status.ts'
import { tell } from '../../../io/stdout.ts'
import { type Cell, type Printing, printFacts, printRows } from '../print.ts'
import { storeFolder } from '../../persistence/folder.ts'
import { asOperator } from './as-operator.ts'

export interface CareOptions extends Printing {
  readonly data: string
  readonly contents?: string
  readonly deep?: boolean
  readonly repair?: boolean
  readonly from?: string
  readonly copy?: boolean
  /** Time in ms. */
  readonly grace?: number
}

/** The exit status is "no" if any problem remains. */
export async function fsckCommand(options: CareOptions): Promise<number> {
  const asked: FsckOptions = {
    isDeep: options.deep ?? false,
    isRepairing: options.repair ?? false,
    checks: LIBRARY_CHECKS,
    from: options.from,
  }
  const { findings, ...counts } = await fsck(options.data, asked)
  printRows(
    findings.map(({ problem, what, isRepaired }) => ({ problem, repaired: isRepaired, what })),
    options,
  )
  const left = findings.filter(({ isRepaired }) => !isRepaired).length
  const state = findings.length === 0 ? 'clean' : `${findings.length} problems, ${left} not repaired`
  tell(`hla: ${state}; ${counted(counts)}\n`)
  return left === 0 ? EXIT.ok : EXIT.data
}

export async function backupCommand(to: string, options: CareOptions): Promise<number> {
  const copying = options.copy === true ? 'copy' : 'link'
  const report = await backup(options.data, to, copying)
  tellCopied(report)
  warnOfOneDisk(options.data, report.folder)
  return EXIT.ok
}

/** Warns of a backup on the same disk as the store. */
function warnOfOneDisk(source: string, folder: string): void {
  const deviceOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev
  if (deviceOf(source) !== deviceOf(folder)) return
  tell(
    `hla: warning: the backup ${folder} is on the same disk as the store, and would be lost with it: copy it to another disk or machine\n`,
  )
}

/** `--data` is the folder to create. */
export async function restoreCommand(from: string, options: CareOptions): Promise<number> {
  tellCopied(await restore(from, options.data, options.contents))
  return EXIT.ok
}

function tellCopied({ folder, database, ...counts }: BackupReport): void {
  tell(`hla: ${folder}: ${counted(counts)}; ${database.toLocaleString('en')} bytes of database\n`)
}

export function gcCommand(options: CareOptions): Promise<number> {
  const { data, grace: graceMs } = options
  return asOperator(data, async (ask) => {
    printFacts({ ...(await ask<GarbageReport>('store.tidy', { body: { graceMs } })) }, options)
    return EXIT.ok
  })
}

export function statusCommand(options: CareOptions): Promise<number> {
  return asOperator(options.data, async (ask) => {
    const facts = await ask<Readonly<Record<string, Cell>>>('store.get')
    printFacts({ folder: storeFolder(options.data).path, ...facts }, options)
    return EXIT.ok
  })
}

/** Counts as text: `12 files, 3 contents`. */
function counted(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, value]) => `${value.toLocaleString('en')} ${name}`)
    .join(', ')
}
