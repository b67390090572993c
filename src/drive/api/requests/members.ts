/** Members of a JSON body of this store's own requests, read by a table of their kinds. */
import type { Given, Kind } from '../../contract/admin-requests.ts'
import { invalid, required } from '../../contract/failure.ts'
import { readObject, readScalar, wrongType } from '../../protocol/bodies/body.ts'

export type Fields = Readonly<Record<string, Kind>>

/** Refuses unknown names, because an ignored change would look like one that was made. */
export function readMembers<Of extends Fields>(bytes: Uint8Array | undefined, fields: Of): Given<Of> {
  const body = readObject(bytes)
  const kinds = new Map(Object.entries(fields))
  const members: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    const kind = kinds.get(name)
    if (kind === undefined) throw invalid(`Unknown member of the request: ${name}.`, name)
    members[name] = readValue(value, kind, name)
  }
  for (const [name, kind] of kinds)
    if (kind.endsWith('!') && (members[name] ?? '') === '') throw required(name)
  // the loops follow the table
  return members as Given<Of>
}

export function readValue(value: unknown, kind: Kind, name: string): unknown {
  switch (kind) {
    case 'text':
    case 'text!':
      return readText(value, name)
    case 'raw':
    case 'raw!':
      return String(readScalar(value, 'string', name))
    case 'flag':
      return readScalar(value, 'boolean', name)
    case 'count?':
      return value === null ? null : readCount(value, name)
    case 'count':
      return readCount(value, name)
    case 'texts':
    case 'texts!':
      if (!Array.isArray(value)) throw wrongType(name, 'an array')
      return value.map((one) => readText(one, name))
  }
}

/** Maximum characters of names and addresses. */
const MAX_NAME_LENGTH = 1024

/** Refuses control characters, because lists and terminals show the text. */
function readText(value: unknown, name: string): string {
  const text = String(readScalar(value, 'string', name))
  if (text.length > MAX_NAME_LENGTH)
    throw invalid(`${name} is longer than ${MAX_NAME_LENGTH} characters.`, name)
  if (/\p{Cc}/u.test(text)) throw invalid(`${name} has a control character.`, name)
  return text
}

function readCount(value: unknown, name: string): number {
  const count = Number(readScalar(value, 'int64', name))
  if (count < 0) throw invalid(`${name} cannot be less than 0.`, name)
  return count
}
