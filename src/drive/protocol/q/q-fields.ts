/** What can be searched for: the fields of files and those of shared drives. */
import type { Collection, CountField, DateField, FlagField, TextField } from './q-tree.ts'

export type FieldKind =
  | { readonly kind: 'text'; readonly field: TextField; readonly ops: readonly string[] }
  | { readonly kind: 'date'; readonly field: DateField }
  | { readonly kind: 'flag'; readonly field: FlagField }
  | { readonly kind: 'count'; readonly field: CountField }
  | { readonly kind: 'collection'; readonly field: Collection }
  | { readonly kind: 'properties' }

/** By name in lower case: words are read in any case. */
export type Vocabulary = ReadonlyMap<string, FieldKind>

const EQUALITY = ['=', '!=']
const TEXT = ['=', '!=', 'contains']

export const FILE_FIELDS: Vocabulary = new Map([
  ...text('title', TEXT),
  ...text('fullText', ['contains']),
  ...text('mimeType', TEXT),
  ...text('fileExtension', EQUALITY),
  ...text('shortcutDetails.targetId', EQUALITY),
  ...text('visibility', EQUALITY),
  ...dates('modifiedDate', 'createdDate', 'lastViewedByMeDate', 'sharedWithMeDate'),
  ...flags('trashed', 'starred', 'sharedWithMe'),
  ...collections('parents', 'owners', 'writers', 'readers', 'labels'),
  ['properties', { kind: 'properties' }],
])

export const DRIVE_FIELDS: Vocabulary = new Map([
  ...text('name', TEXT),
  ...dates('createdDate'),
  ...flags('hidden'),
  ...counts('memberCount', 'organizerCount'),
])

/** Values of `visibility` in a search. */
export const VISIBILITIES = [
  'anyoneCanFind',
  'anyoneWithLink',
  'domainCanFind',
  'domainWithLink',
  'limited',
] as const

function text(field: TextField, ops: readonly string[]): [string, FieldKind][] {
  return [[field.toLowerCase(), { kind: 'text', field, ops }]]
}

function dates(...fields: readonly DateField[]): [string, FieldKind][] {
  return fields.map((field) => [field.toLowerCase(), { kind: 'date', field }])
}

function flags(...fields: readonly FlagField[]): [string, FieldKind][] {
  return fields.map((field) => [field.toLowerCase(), { kind: 'flag', field }])
}

function counts(...fields: readonly CountField[]): [string, FieldKind][] {
  return fields.map((field) => [field.toLowerCase(), { kind: 'count', field }])
}

function collections(...fields: readonly Collection[]): [string, FieldKind][] {
  return fields.map((field) => [field, { kind: 'collection', field }])
}
