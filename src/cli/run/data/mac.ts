/** `hla data mac`: a newer list of multiple allele codes, for all releases. */
import type { InstalledMacList } from '../../../reference/store/manifest.ts'
import { DEFAULT_MAC_URL, readMacList, readMacListDate } from '../../../reference/published/mac-list.ts'
import { locateData } from '../../../reference/store/location.ts'
import { activeMacList, installMacList } from '../../../reference/store/mac-lists.ts'
import { EXIT } from '../../../io/exit-status.ts'
import { type DataContext, OK, counted, say } from './context.ts'

/**
 * Checks for a newer published list. Reads its first lines only and installs nothing. Exit status 1 when it is newer.
 */
export async function checkMacCommand(context: DataContext, from: string = DEFAULT_MAC_URL): Promise<number> {
  const published = await readMacListDate(from)
  const own = activeMacList(locateData(context.dataDir))?.manifest.date
  context.stdout(`installed\t${own ?? '-'}\npublished\t${published}\n`)
  if (own !== undefined && own >= published) {
    say(
      context,
      own === published
        ? 'the MAC list is the published one'
        : `${from} has an older MAC list than the one in use`,
    )
    return OK
  }
  say(context, own === undefined ? 'no MAC list is installed: hla data mac installs it' : `a newer MAC list is published: hla data mac installs it`) // prettier-ignore
  return EXIT.no
}

/** `from` defaults to the published list. */
export async function macCommand(context: DataContext, from: string = DEFAULT_MAC_URL): Promise<number> {
  const list = installMacList(locateData(context.dataDir), await readMacList(from), from)
  reportMacList(context, list)
  say(context, `installed in ${list.path} and made active`)
  return OK
}

export function reportMacList(context: DataContext, { manifest }: InstalledMacList): void {
  say(context, `MAC list ${manifest.date}: ${counted(manifest.codes, 'code')}`)
}
