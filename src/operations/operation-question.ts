/** Question asked about each typing of a run. Types only. */

/** Question without its typing: the other input properties. */
export interface OperationQuestion {
  readonly method: string | undefined
  readonly input: Readonly<Record<string, unknown>>
}
