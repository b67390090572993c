/** `hla data path`: where the data, or one release, are. */
import { findRelease } from '../../../reference/store/installed.ts'
import { locateData } from '../../../reference/store/location.ts'
import { type DataContext, OK } from './context.ts'

export function pathCommand(context: DataContext, spelled?: string): number {
  const dirs = locateData(context.dataDir)
  context.stdout(`${spelled === undefined ? dirs.own : findRelease(dirs, spelled).folder}\n`)
  return OK
}
