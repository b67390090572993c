/** Says that the active release is old, from its own date and this machine's clock: nobody is asked for a newer one. */
import { isTerminal } from '../../../io/stdout.ts'
import { isOldRelease } from '../../../reference/store/age.ts'
import { readActive, type DataDirs } from '../../../reference/store/location.ts'
import { installedAs, readReleaseManifest } from '../../../reference/store/installed.ts'
import { type DataContext, say } from './context.ts'

export function noteOldRelease(context: DataContext, dirs: DataDirs): void {
  const { release: name } = readActive(dirs)
  const installed = name === undefined ? undefined : installedAs(dirs, name)
  if (installed === undefined) return
  const { release, date } = readReleaseManifest(installed)
  if (isOldRelease(date) && isTerminal(2)) say(context, `note: ${oldReleaseText(release, date)}`)
}

export function oldReleaseText(release: string, date: string): string {
  return `the active release ${release} is of ${date}, over a year old: hla data list --available shows newer ones`
}
