/** One question. Types only. */

/** One question: the name of an operation, and its input. */
export interface OperationRequest {
  readonly operation: string
  readonly input: unknown
}
