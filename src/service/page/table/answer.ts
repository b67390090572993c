/** Parser of the service's answer to a table, which has several parts. */
import type { ErrorRecord } from '../answers.ts'
import { PageFailure } from '../service.ts'
import type { ReadColumn } from './columns.ts'

/** Failed cells with the same value. */
export interface FailedValue {
  /** Empty for a failure of whole rows. */
  readonly value: string
  readonly message: string
  /** Empty without one. */
  readonly hint: string
  /** Cells that could replace it. */
  readonly replacements: readonly string[]
  readonly cells: number
  readonly columns: readonly string[]
  /** Lines of the first cells. */
  readonly lines: readonly number[]
}

export interface Summary {
  readonly name: string
  readonly text: string
  readonly rows: number
  readonly typings: number
  readonly status: Readonly<Record<string, number>>
  readonly said: readonly { readonly message: string }[]
  readonly failed: number
  /** Failed cells grouped by value; the first 100 values. */
  readonly values: readonly FailedValue[]
  readonly columns: readonly ReadColumn[]
  /** Description of how the table was read, except its columns. */
  readonly plan: readonly { readonly name: string; readonly text: string }[]
}

export interface ConvertedOnPage {
  /** Query of the request. */
  readonly query: URLSearchParams
  readonly table: File | undefined
  readonly errors: File | undefined
  readonly summary: Summary | undefined
  /** Error message when the table is incomplete. */
  readonly failure: string | undefined
}

/** The last part of the answer tells whether it is complete. */
export async function readConverted(answer: Response, query: URLSearchParams): Promise<ConvertedOnPage> {
  const form = await answer.formData()
  const [summary, error] = [textIn(form, 'summary'), textIn(form, 'error')]
  return {
    query,
    table: fileIn(form, 'table'),
    errors: fileIn(form, 'errors'),
    // the service writes these types
    summary: summary === undefined ? undefined : (JSON.parse(summary) as Summary),
    failure: error === undefined ? undefined : new PageFailure(JSON.parse(error) as ErrorRecord).message,
  }
}

function textIn(form: FormData, name: string): string | undefined {
  const value = form.get(name)
  return typeof value === 'string' ? value : undefined
}

function fileIn(form: FormData, name: string): File | undefined {
  const value = form.get(name)
  return value instanceof File ? value : undefined
}
