/** What is asked about each typing of a run. Types only. */

/** One way of asking about each typing: the properties besides the typing itself. */
export interface OperationQuestion {
  readonly method: string | undefined
  readonly input: Readonly<Record<string, unknown>>
}
