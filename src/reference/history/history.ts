/** The history of names: which accession number had which name in which release, compiled and opened. */
export { encodeHistory } from './encode.ts'
export type { Deletion, History, ReleaseList, Spelling } from './model.ts'
export { readHistory } from './open.ts'
export { parseCodeRelease } from './release-label.ts'
