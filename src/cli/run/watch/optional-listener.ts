/** The webhook listener of a watch: opened when the watch has its place in the change feed. */
import type { WatchOptions } from '../../options/drive/drive-file-options.ts'
import { tell } from '../../../io/stdout.ts'
import { type WebhookListener, openWebhookListener } from './webhook-listener.ts'
import type { Ending } from './ending.ts'
import type { FolderWatch } from './watching.ts'

export interface OptionalListener {
  /** Whether there is one; the first time it is tried. */
  readonly open: (watching: FolderWatch, ending: Ending) => Promise<boolean>
  readonly close: () => Promise<void>
}

export function optionalListener(options: WatchOptions): OptionalListener {
  let listener: WebhookListener | undefined
  let isTried = false
  return {
    async open({ drive: { connection }, state, isQuiet, path }, { wake }) {
      if (isTried) return listener !== undefined
      const pageToken = () => state.now().pageToken ?? ''
      listener = await openWebhookListener({ connection, pageToken, wake }, options)
      isTried = true
      const how = listener === undefined ? `looking every ${options.interval / 1000} s` : 'told of changes'
      if (!isQuiet) tell(`hla: watching ${path}, ${how}\n`)
      return listener !== undefined
    },
    close: async () => listener?.close(),
  }
}
