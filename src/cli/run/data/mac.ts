/** `hla data mac`: a newer list of multiple allele codes, for all releases. */
import type { InstalledMacList } from '../../../reference/store/manifest.ts'
import { DEFAULT_MAC_URL, readMacList } from '../../../reference/published/mac-list.ts'
import { locateData } from '../../../reference/store/location.ts'
import { installMacList } from '../../../reference/store/mac-lists.ts'
import { type DataContext, OK, counted, say } from './context.ts'

/** Without `from`, the published list. */
export async function macCommand(context: DataContext, from: string = DEFAULT_MAC_URL): Promise<number> {
  const list = installMacList(locateData(context.dataDir), await readMacList(from), from)
  reportMacList(context, list)
  say(context, `installed in ${list.path} and made active`)
  return OK
}

export function reportMacList(context: DataContext, { manifest }: InstalledMacList): void {
  say(context, `MAC list ${manifest.date}: ${counted(manifest.codes, 'code')}`)
}
