/** The history of names: which accession number had which name in which release, compiled and opened. */
export { encodeHistory } from './history/encode.ts'
export type { Deletion, History, ReleaseList, Spelling } from './history/model.ts'
export { historyOf } from './history/open.ts'
export { releaseOfCode } from './history/release-label.ts'
