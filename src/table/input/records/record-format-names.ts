/** Names of the formats of typing records; separate from the formats, which are loaded when a file is read. */
import type { RECORD_FORMAT_NAMES } from '../../../options/choices.ts'

export type RecordFormatName = (typeof RECORD_FORMAT_NAMES)[number]
