/** Request to an operation. Types only. */

/** Name of an operation, and its input. */
export interface OperationRequest {
  readonly operation: string
  readonly input: unknown
}
