/** What the text of a cell is read as. Types only. */
import type { TokenStatus } from './tokens.ts'

export interface CellNote {
  readonly code: 'antigen-as-xx' | 'accepted' | 'spreadsheet-marks' | 'dated-code'
  /** What it was read as. */
  readonly reading: string
}

export type CellReading =
  | { readonly kind: 'token'; readonly status: TokenStatus }
  | {
      readonly kind: 'typing'
      readonly glString: string
      /** The release a GL String Code names. */
      readonly release: string | undefined
      readonly notes: readonly CellNote[]
    }
