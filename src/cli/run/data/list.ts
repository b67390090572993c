/** `hla data list`: releases that are installed, or available at a source. */
import { type DataDirs, locateData, readActive } from '../../../reference/store/location.ts'
import {
  type InstalledRelease,
  findInstalled,
  listInstalled,
  readReleaseManifest,
} from '../../../reference/store/installed.ts'
import { activeMacList } from '../../../reference/store/mac-lists.ts'
import { isSound } from '../../../reference/store/verify.ts'
import { type DataContext, OK, jsonText, say } from './context.ts'
import { parseSource, withSource } from './source.ts'
import { isTerminal } from '../../../io/stdout.ts'
import { isOldRelease } from '../../../reference/store/age.ts'
import { formatCount } from '../../../format-count.ts'

export interface ListOptions {
  /** List releases available to install instead of installed ones. */
  readonly available?: boolean
  readonly from?: string
  readonly json?: boolean
}

export async function listCommand(context: DataContext, options: ListOptions = {}): Promise<number> {
  const dirs = locateData(context.dataDir)
  const installed = listInstalled(dirs)
  if (options.available) return listAvailable(context, options, installed)
  if (options.json) context.stdout(jsonText(installed.map((release) => describeAsRecord(dirs, release))))
  if (installed.length === 0) {
    say(
      context,
      'no release is installed: hla data install latest, or with --from FOLDER from a folder, a zip file or a URL',
    )
    return OK
  }
  if (!options.json)
    context.stdout(aligned([HEADINGS, ...installed.map((release) => describe(dirs, release))]))
  noteOldRelease(context, dirs)
  return OK
}

const HEADINGS = ['', 'RELEASE', 'DATE', 'ALLELES', 'MAC LIST', 'STATE']

function describe(dirs: DataDirs, release: InstalledRelease): string[] {
  const { date, alleles, antigensBefore2026 } = readReleaseManifest(release)
  const mark = readActive(dirs).release === release.name ? '*' : ''
  const list = activeMacList(dirs)
  const sound = isSound(release, list) ? 'verified' : 'damaged'
  const state = antigensBefore2026 ? `${sound}, antigens before 2026` : sound
  return [mark, release.name, date, formatCount(alleles), list?.manifest.date ?? '-', state]
}

function describeAsRecord(dirs: DataDirs, release: InstalledRelease): object {
  const { date, alleles, antigensBefore2026 = false } = readReleaseManifest(release)
  const list = activeMacList(dirs)
  return {
    release: release.name,
    active: readActive(dirs).release === release.name,
    date,
    alleles,
    ...(antigensBefore2026 && { antigens: 'before-2026' }),
    mac_list: list?.manifest.date ?? null,
    state: isSound(release, list) ? 'verified' : 'damaged',
  }
}

async function listAvailable(
  context: DataContext,
  { from: asked, json }: ListOptions,
  installed: readonly InstalledRelease[],
): Promise<number> {
  const from = parseSource(asked)
  const offered = await withSource(from, (source) => source.available())
  const mine = new Set(installed.map(({ name }) => name))
  const newest = offered.at(-1)?.label
  const rows = offered.toReversed().map(({ label, date }) => ({
    release: label,
    date: date ?? null,
    newest: label === newest,
    installed: mine.has(label),
  }))
  if (json) context.stdout(jsonText(rows))
  else
    for (const row of rows) {
      const marks = [row.newest ? 'newest' : '', row.installed ? 'installed' : ''].filter(Boolean)
      context.stdout(`${[row.release, row.date ?? '-', marks.join(' ')].join('\t').trimEnd()}\n`)
    }
  if (newest === undefined) say(context, `no release in ${from}`)
  return OK
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) => Math.max(1, ...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return lines.map((line) => `${line}\n`).join('')
}

function noteOldRelease(context: DataContext, dirs: DataDirs): void {
  const { release: name } = readActive(dirs)
  const installed = name === undefined ? undefined : findInstalled(dirs, name)
  if (installed === undefined) return
  const { release, date } = readReleaseManifest(installed)
  if (isOldRelease(date) && isTerminal(2)) say(context, `note: ${oldReleaseText(release, date)}`)
}

function oldReleaseText(release: string, date: string): string {
  return `the active release ${release} is of ${date}, over a year old: hla data list --available shows newer ones`
}
