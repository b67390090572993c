/** Requests of administrators, and what they answer as far as the page shows it. */
import { callAt, type Query } from '../service.ts'

export interface AdminUser {
  readonly email: string
  readonly name: string
  readonly isAdmin: boolean
  readonly isDisabled: boolean
  readonly hasPassword: boolean
  readonly quotaBytes: number | null
  readonly usedBytes: number
}

export interface AdminGroup {
  readonly email: string
  readonly name: string
  readonly members: number
  readonly isDisabled: boolean
}

export interface AdminToken {
  readonly id: string
  readonly user: string
  readonly client: string
  readonly scopes: readonly string[]
  readonly created: string
  readonly expires: string | null
  readonly label: string | null
}

export interface AdminKey {
  readonly id: string
  readonly account: string
  readonly name: string | null
  readonly created: string | null
  readonly isDisabled: boolean
}

export interface AdminLimit {
  readonly name: string
  readonly of: string
  readonly value: number
  readonly standard: number
}

export interface AdminRecord {
  readonly date: string
  /** null: the operator. */
  readonly by: string | null
  readonly command: string
  readonly subject: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** `path`: below that of administration; with a body it is POST unless said otherwise. */
export function askAdmin<T>(path: string, query: Query = {}, body?: unknown, method?: string): Promise<T> {
  return callAt<T>(`drive/admin/v1/${path}`, query, body, method)
}

export function adminPath(list: string, ...names: readonly string[]): string {
  return [list, ...names.map(encodeURIComponent)].join('/')
}

/** Nobody is told by a refusal: it is asked for by all who enter. */
export async function isAdministrator(): Promise<boolean> {
  return (await askAdmin<{ readonly isAdministrator: boolean }>('self')).isAdministrator
}
