/** `hla data use`: the release that is meant when none is named. */
import { readReleaseManifest, useRelease } from '../../../reference/store/installed.ts'
import { locateData } from '../../../reference/store/location.ts'
import { type DataContext, OK, say } from './context.ts'

export function useCommand(context: DataContext, spelled: string): number {
  const release = useRelease(locateData(context.dataDir), spelled)
  say(context, `IPD-IMGT/HLA ${release.name} (${readReleaseManifest(release).date}) is now active`)
  return OK
}
