/** Result of reading a cell. Types only. */
import type { TokenStatus } from './tokens.ts'

export interface CellNote {
  readonly code: 'antigen-as-xx' | 'accepted' | 'spreadsheet-marks' | 'dated-code'
  /** Text that was read instead. */
  readonly reading: string
}

export type CellReading =
  | { readonly kind: 'token'; readonly status: TokenStatus }
  | {
      readonly kind: 'typing'
      readonly glString: string
      /** Release named by a GL String Code. */
      readonly release: string | undefined
      readonly notes: readonly CellNote[]
    }
