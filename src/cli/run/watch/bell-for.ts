/** The bell of a watch: hung when there is a place in the feed that it can be told of changes from. */
import type { WatchOptions } from '../../options/drive/drive-file-options.ts'
import { tell } from '../../../io/stdout.ts'
import { type Bell, hangBell } from './bell.ts'
import type { Ending } from './ending.ts'
import type { Watching } from './watching.ts'

export interface MaybeBell {
  /** Whether there is one; the first time it is tried. */
  readonly hang: (watching: Watching, ending: Ending) => Promise<boolean>
  readonly close: () => Promise<void>
}

export function bellFor(options: WatchOptions): MaybeBell {
  let bell: Bell | undefined
  let isTried = false
  return {
    async hang({ drive: { connection }, state, isQuiet, path }, { ring }) {
      if (isTried) return bell !== undefined
      const pageToken = () => state.now().pageToken ?? ''
      bell = await hangBell({ connection, pageToken, ring }, options)
      isTried = true
      const how = bell === undefined ? `looking every ${options.interval / 1000} s` : 'told of changes'
      if (!isQuiet) tell(`hla: watching ${path}, ${how}\n`)
      return bell !== undefined
    },
    close: async () => bell?.close(),
  }
}
