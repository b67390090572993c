/** Valid names that a later release spells differently: correct today, and the first to change at an upgrade. */
import type { Note } from '../../errors.ts'
import { withoutPrefix } from '../../nomenclature/allele.ts'
import { listLeaves } from '../../nomenclature/gl-string.ts'
import type { History } from '../../reference/history/history.ts'

/** `release` is the label of the release in which the GL String is valid. Names that were never listed are skipped. */
export function renamedLater(history: History, glString: string, release: string): Note[] {
  const latest = history.releases.at(-1)
  if (latest === undefined || latest === release || !history.releases.includes(release)) return []
  return listLeaves(glString).flatMap(({ text, start }) => {
    const accession = history.accessionIn(release, withoutPrefix(text))
    const later = accession === undefined ? undefined : history.nameIn(latest, accession)
    if (accession === undefined || later === withoutPrefix(text)) return []
    const message =
      later === undefined ? `${text} is not in ${latest} any more` : `${text} is called ${later} in ${latest}`
    return [
      {
        level: 'warning',
        code: 'renamed-later',
        message,
        offending: text,
        position: [start, start + text.length],
      },
    ]
  })
}
