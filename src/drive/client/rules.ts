/** Conversion rules of folders, which the store runs.  [network] */
import type { DriveConnection } from './connection.ts'
import { asList, asRecord, asText } from './resource.ts'

export interface DriveRule {
  readonly id: string
  readonly folder: string
  readonly method: string
  /** Release of the answers; empty for the server's active one. */
  readonly release: string
  readonly match: string
  readonly withSubfolders: boolean
  readonly maker: string
  readonly converted: number
  readonly failed: number
  /** Reason why the rule has ended or waits; empty when it runs. */
  readonly trouble: string
}

export interface NewDriveRule {
  /** Id of the folder; so is `target`. */
  readonly folder: string
  readonly target?: string | undefined
  readonly method?: string | undefined
  readonly release?: string | undefined
  readonly match?: string | undefined
  readonly includesExisting: boolean
  readonly withSubfolders: boolean
}

const PATH = '/rules'

/** @throws {HlaError} not-found, io, remote */
export async function makeRule({ send }: DriveConnection, given: NewDriveRule): Promise<DriveRule> {
  // no retries: the store would refuse a second one
  const { body } = await send({ method: 'POST', path: PATH, json: given, retries: 0 })
  return readRule(asRecord(body))
}

/** Rules of one folder, or of all folders that the caller may write. */
export async function listRules({ send }: DriveConnection, folder?: string): Promise<DriveRule[]> {
  const { body } = await send({ method: 'GET', path: PATH, query: { folder } })
  return asList(asRecord(body)['items']).map(readRule)
}

export async function removeRule({ send }: DriveConnection, id: string): Promise<void> {
  await send({ method: 'DELETE', path: `${PATH}/${encodeURIComponent(id)}` })
}

function readRule(rule: Readonly<Record<string, unknown>>): DriveRule {
  const [folder, maker] = [asRecord(rule['folder']), asRecord(rule['maker'])]
  return {
    id: asText(rule['id']),
    folder: asText(folder['title']),
    method: asText(rule['method']),
    release: asText(rule['release']),
    match: asText(rule['match']),
    withSubfolders: rule['withSubfolders'] === true,
    maker: asText(maker['emailAddress']) || asText(maker['displayName']),
    converted: Number(rule['converted'] ?? 0),
    failed: Number(rule['failed'] ?? 0),
    trouble: asText(rule['reason']) || asText(rule['trouble']),
  }
}
