/** `hla data remove`: deletes an installed release. */
import { removeRelease } from '../../../reference/store/installed.ts'
import { readActive, locateData } from '../../../reference/store/location.ts'
import { type DataContext, OK, say } from './context.ts'

export function removeCommand(context: DataContext, spelled: string): number {
  const dirs = locateData(context.dataDir)
  const before = readActive(dirs).release
  const { name, folder } = removeRelease(dirs, spelled)
  say(context, `removed ${folder}`)
  if (before === name) say(context, 'note: it was the active release; choose another with hla data use')
  return OK
}
