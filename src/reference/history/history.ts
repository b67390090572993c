/** The history of names: which accession number had which name in which release, compiled and opened. */
export { encodeHistory } from './encode.ts'
export type { Deletion, History, ReleaseList, Spelling } from './model.ts'
export { historyOf } from './open.ts'
export { releaseOfCode } from './release-label.ts'
