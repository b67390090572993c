/** The whole of what a command refuses. */
import { isStorageFailure } from '../../src/drive/contract/failure.ts'

/** Status, reason, place and message, with `ID` for the ids of files; `accepted` if the work is not refused. */
export function refusal(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (!isStorageFailure(error)) throw error
    const { status, reason, details, message } = error
    const place = details.location === undefined ? [] : [details.location]
    return `${[status, reason, ...place].join(' ')}: ${message}`.replaceAll(/\b1[\w-]{32}/g, 'ID')
  }
  return 'accepted'
}
