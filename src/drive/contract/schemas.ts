/** The schemas of the interface as shapes: what members a resource has, of which type, who may write them and when they show. */
import { SCHEMA_TABLE } from './schema-table.ts'

type Dotted = `${string}.${string}`

export type SchemaName = Exclude<keyof typeof SCHEMA_TABLE, Dotted>

/** How a scalar stands in JSON: int64, bytes (base64url) and dates as strings. */
export const SCALARS = [
  'string',
  'boolean',
  'int32',
  'int64',
  'float',
  'double',
  'bytes',
  'date',
  'date-time',
] as const

export type Scalar = (typeof SCALARS)[number]

export type MemberShape =
  | { readonly kind: 'scalar'; readonly scalar: Scalar }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Member> }
  | { readonly kind: 'array' | 'map'; readonly of: MemberShape }
  | { readonly kind: 'schema'; readonly name: SchemaName }

export interface Member {
  readonly shape: MemberShape
  /** What it always says, e.g. `drive#file`. */
  readonly constant: string | undefined
  readonly isWritable: boolean
  /** `null` in an update takes it away. */
  readonly isClearable: boolean
  readonly isShownByDefault: boolean
  readonly isNeverShown: boolean
  readonly isPublishedReadOnly: boolean
}

export type Members = ReadonlyMap<string, Member>

const SCALAR_NAMES: ReadonlySet<string> = new Set(SCALARS)
const read = new Map<string, Members>()

export const SCHEMA_NAMES: readonly SchemaName[] = Object.keys(SCHEMA_TABLE).filter(isSchemaName)

/** Read from the table when first asked for. */
export function findMembers(name: SchemaName): Members {
  return entry(name)
}

/** The members of an object or schema, also of those in an array; undefined for scalars and maps. */
export function innerMembers(shape: MemberShape): Members | undefined {
  switch (shape.kind) {
    case 'scalar':
    case 'map':
      return undefined
    case 'array':
      return innerMembers(shape.of)
    case 'object':
      return shape.members
    case 'schema':
      return findMembers(shape.name)
  }
}

function isSchemaName(name: string): name is SchemaName {
  return Object.hasOwn(SCHEMA_TABLE, name) && !name.includes('.')
}

function entry(name: string): Members {
  const known = read.get(name)
  if (known !== undefined) return known
  const members = readEntry(name)
  read.set(name, members)
  return members
}

function readEntry(name: string): Members {
  const text: string | undefined = Object.entries(SCHEMA_TABLE).find(([key]) => key === name)?.[1]
  if (text === undefined) throw new Error(`the table of schemas has no ${name}`)
  const members = new Map<string, Member>()
  for (const group of text.trim().split(/;\s*/)) {
    const [type = '', ...words] = group.split(/\s+/)
    for (const word of words) {
      const [, key = '', , constant, flags = ''] = /^(\w+)(=([\w#]+))?([+?~!-]*)$/.exec(word) ?? []
      members.set(key, makeMember(readShape(type, `${name}.${key}`), constant, flags))
    }
  }
  return members
}

function makeMember(shape: MemberShape, constant: string | undefined, flags: string): Member {
  return {
    shape,
    constant,
    isWritable: flags.includes('+'),
    isClearable: flags.includes('?'),
    isShownByDefault: !/[-~]/.test(flags),
    isNeverShown: flags.includes('~'),
    isPublishedReadOnly: flags.includes('!'),
  }
}

function readShape(type: string, path: string): MemberShape {
  if (type === '{}') return { kind: 'object', members: entry(path) }
  if (type.endsWith('[]')) return { kind: 'array', of: readShape(type.slice(0, -2), path) }
  if (type.endsWith('{}')) return { kind: 'map', of: readShape(type.slice(0, -2), path) }
  if (isScalar(type)) return { kind: 'scalar', scalar: type }
  if (isSchemaName(type)) return { kind: 'schema', name: type }
  throw new Error(`the table of schemas has a type ${type}`)
}

function isScalar(type: string): type is Scalar {
  return SCALAR_NAMES.has(type)
}
