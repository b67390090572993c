/** `hla drive fsck|backup|restore|gc|status`: maintenance of a store. */
import { statSync } from 'node:fs'
import { LIBRARY_CHECKS } from '../../domain/upkeep/row-checks.ts'
import { type BackupReport, backup, restore } from '../../persistence/upkeep/backup.ts'
import type { GarbageReport } from '../../persistence/upkeep/collect-garbage.ts'
import { fsck } from '../../persistence/upkeep/fsck.ts'
import { EXIT } from '../../../io/exit-status.ts'
import { tell } from '../../../io/stdout.ts'
import type {
  BackupOptions,
  CollectionOptions,
  FsckOptions,
  RestorationOptions,
  StoreOptions,
} from '../options/administrator-options.ts'
import { type Cell, printFacts, printRows } from '../print.ts'
import { storeFolder } from '../../persistence/folder.ts'
import { asOperator } from './as-operator.ts'

/** The exit status is "no" if any problem remains. */
export async function fsckCommand(options: FsckOptions): Promise<number> {
  const { findings, ...counts } = await fsck(options.data, {
    isDeep: options.deep ?? false,
    isRepairing: options.repair ?? false,
    checks: LIBRARY_CHECKS,
    from: options.from,
  })
  printRows(
    findings.map(({ problem, what, isRepaired }) => ({ problem, repaired: isRepaired, what })),
    options,
  )
  const remaining = findings.filter(({ isRepaired }) => !isRepaired).length
  const state = findings.length === 0 ? 'clean' : `${findings.length} problems, ${remaining} not repaired`
  tell(`hla: ${state}; ${counted(counts)}\n`)
  return remaining === 0 ? EXIT.ok : EXIT.data
}

export async function backupCommand(to: string, options: BackupOptions): Promise<void> {
  const copying = options.copy === true ? 'copy' : 'link'
  const report = await backup(options.data, to, copying)
  tellCopied(report)
  warnOfOneDisk(options.data, report.folder)
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
export async function restoreCommand(from: string, options: RestorationOptions): Promise<void> {
  tellCopied(await restore(from, options.data, options.contents))
}

function tellCopied({ folder, database, count: contents, bytes }: BackupReport): void {
  tell(
    `hla: ${folder}: ${counted({ contents, bytes })}; ${database.toLocaleString('en')} bytes of database\n`,
  )
}

export function gcCommand(options: CollectionOptions): Promise<void> {
  const { data, grace: graceMs } = options
  return asOperator(data, async (ask) => {
    printFacts({ ...(await ask<GarbageReport>('store.tidy', { body: { graceMs } })) }, options)
  })
}

export function statusCommand(options: StoreOptions): Promise<void> {
  return asOperator(options.data, async (ask) => {
    const facts = await ask<Readonly<Record<string, Cell>>>('store.get')
    printFacts({ folder: storeFolder(options.data).path, ...facts }, options)
  })
}

/** Counts as text: `12 files, 3 contents`. */
function counted(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, value]) => `${value.toLocaleString('en')} ${name}`)
    .join(', ')
}
