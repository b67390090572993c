/** Writes a search as an SQL condition on `f`, a row of `files` (spec 8). Every condition is 0 or 1, so that `NOT` inverts it. */
import { foldTitle } from '../../contract/kinds.ts'
import { groupTests, isTermTest } from '../../protocol/q/q-test.ts'
import type { QNode, QTest } from '../../protocol/q/q-fields.ts'
import { MY_GROUPS, MY_PRINCIPALS, findVisibleFile } from '../access/access.ts'
import {
  type StatementBuilder,
  bindValue,
  contentMatch,
  stateColumn,
  titleMatch,
  writeAppCondition,
} from './sets.ts'

export function writeCondition(statement: StatementBuilder, node: QNode): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      return joined(statement, node.kind, node.parts)
    case 'not':
      return `NOT ${writeCondition(statement, node.inner)}`
    default:
      return `(${testCondition(statement, node)})`
  }
}

/** Combines tests of one kind into one condition, so that their number has almost no effect on the running time. */
function joined(statement: StatementBuilder, kind: 'and' | 'or', parts: readonly QNode[]): string {
  const { groups, rest } = groupTests(kind, parts)
  const conditions = [
    ...groups.map((tests) => `${kind === 'and' ? 'NOT ' : ''}(${anyCondition(statement, tests)})`),
    ...rest.map((part) => writeCondition(statement, part)),
  ]
  return `(${conditions.join(` ${kind.toUpperCase()} `)})`
}

/** Condition that one of several tests of one kind holds. */
function anyCondition(statement: StatementBuilder, tests: readonly QTest[]): string {
  const [first] = tests
  if (first === undefined) return '0'
  if (tests.length === 1) return testCondition(statement, first)
  if (first.kind === 'property') return anyProperty(statement, tests.filter(isProperty))
  if (first.kind === 'member') {
    const members = tests.filter(isMember)
    return first.of === 'labels' ? labelCondition(statement, members) : writeChildOfAny(statement, members)
  }
  const texts = tests.filter(isText)
  if (first.kind === 'text' && first.field === 'mimeType')
    return `lower(f.mime) IN (${texts.map(({ value }) => `lower(${bindValue(statement, value)})`).join(', ')})`
  if (first.kind === 'text' && isTermTest(first)) return anyWords(statement, texts)
  return `f.fold IN (${texts.map(({ value }) => bindValue(statement, foldTitle(value))).join(', ')})`
}

const isProperty = (test: QTest): test is Test<'property'> => test.kind === 'property'
const isMember = (test: QTest): test is Test<'member'> => test.kind === 'member'
const isText = (test: QTest): test is Test<'text'> => test.kind === 'text'

/** The plus signs stop SQLite from looking up each pair by index: an item has few properties. */
function anyProperty(statement: StatementBuilder, tests: readonly Test<'property'>[]): string {
  const [{ value: given, visibility } = { value: undefined, visibility: undefined }] = tests
  const wanted = tests.map(({ key, value }) =>
    value === undefined
      ? bindValue(statement, key)
      : `(${bindValue(statement, key)}, ${bindValue(statement, value)})`,
  )
  const fits =
    given === undefined ? `+key IN (${wanted.join(', ')})` : `(+key, +value) IN (VALUES ${wanted.join(', ')})`
  return `EXISTS (SELECT 1 FROM properties WHERE file = f.pk AND +app IN ${writeAppCondition(statement, visibility)} AND ${fits})`
}

/** The plus sign stops SQLite from looking up each folder by index: an item has few parents. */
function writeChildOfAny(statement: StatementBuilder, tests: readonly Test<'member'>[]): string {
  const folders = tests.flatMap(
    ({ value }) => findVisibleFile(statement.db, statement.caller, value)?.pk ?? [],
  )
  if (folders.length === 0) return '0'
  const bound = [...new Set(folders)].map((folder) => bindValue(statement, folder))
  return `EXISTS (SELECT 1 FROM parents WHERE child = f.pk AND +parent IN (${bound.join(', ')}))`
}

function anyWords(statement: StatementBuilder, tests: readonly Test<'text'>[]): string {
  const matches = tests.map(({ field, value }) =>
    field === 'title' ? titleMatch(value) : contentMatch(value),
  )
  const all = matches.includes(undefined) ? undefined : matches.map((match) => `(${match})`).join(' OR ')
  return matching(statement, all)
}

type Test<Kind extends QTest['kind']> = Extract<QTest, { readonly kind: Kind }>

function testCondition(statement: StatementBuilder, test: QTest): string {
  switch (test.kind) {
    case 'text':
      return textCondition(statement, test)
    case 'date':
      return dateCondition(statement, test)
    case 'flag':
      return `${test.value ? '' : 'NOT '}(${flagCondition(statement, test)})`
    case 'member':
      return memberCondition(statement, test)
    case 'property':
      return propertyCondition(statement, test)
    case 'count':
      throw new Error(`${test.field} is not a field of files`)
  }
}

function textCondition(statement: StatementBuilder, { field, op, value }: Test<'text'>): string {
  const isNot = op === '!='
  switch (field) {
    case 'title':
      if (op === 'contains') return matching(statement, titleMatch(value))
      return `f.fold ${isNot ? '<>' : '='} ${bindValue(statement, foldTitle(value))}`
    case 'fullText':
      return matching(statement, contentMatch(value))
    case 'mimeType':
      if (op === 'contains') return `instr(lower(f.mime), lower(${bindValue(statement, value)})) > 0`
      return `lower(f.mime) ${isNot ? '<>' : '='} lower(${bindValue(statement, value)})`
    case 'fileExtension':
      return `coalesce(lower(f.extension), '') ${isNot ? '<>' : '='} lower(${bindValue(statement, value)})`
    case 'shortcutDetails.targetId':
      return `f.target ${isNot ? 'IS NOT' : 'IS'} ${bindValue(statement, value)}`
    case 'visibility':
      return `${isNot ? 'NOT ' : ''}(${visibilityCondition(value)})`
    case 'name':
      throw new Error('name is not a field of files')
  }
}

function matching(statement: StatementBuilder, match: string | undefined): string {
  if (match === undefined) return '1'
  statement.sets += 1
  return `f.pk IN (SELECT rowid FROM words WHERE words MATCH ${bindValue(statement, match)})`
}

/** Tests the widest grant of an item: `anyoneCanFind`, `domainWithLink`, …, `limited`. */
function visibilityCondition(value: string): string {
  const sets = 'SELECT e.acl FROM acl_entries e JOIN principals p ON p.pk = e.principal WHERE p.kind'
  if (value === 'limited') return `f.acl NOT IN (${sets} IN ('anyone', 'link', 'domain'))`
  const kinds = value.startsWith('anyone') ? "'anyone', 'link'" : "'domain'"
  const isListed = value.endsWith('CanFind') ? 1 : 0
  return `f.acl IN (${sets} IN (${kinds}) AND e.is_listed = ${isListed})`
}

/** Items without the date match only `!=`. */
function dateCondition(statement: StatementBuilder, { field, op, value }: Test<'date'>): string {
  const compared = `${dateColumn(statement, field)} ${op === '!=' ? '<>' : op} ${bindValue(statement, value)}`
  // every item has these two dates, and an index covers one of them
  if (field === 'modifiedDate' || field === 'createdDate') return compared
  return `coalesce(${compared}, ${op === '!=' ? 1 : 0})`
}

function dateColumn(statement: StatementBuilder, field: Test<'date'>['field']): string {
  switch (field) {
    case 'modifiedDate':
      return 'f.modified'
    case 'createdDate':
      return 'f.created'
    case 'lastViewedByMeDate':
      return stateColumn(statement, 'viewed_at')
    case 'sharedWithMeDate':
      return stateColumn(statement, 'shared_at')
  }
}

function flagCondition(statement: StatementBuilder, { field }: Test<'flag'>): string {
  switch (field) {
    case 'trashed':
      return 'f.trashed = 1'
    case 'starred':
      return `coalesce(${stateColumn(statement, 'starred')}, 0) = 1`
    case 'sharedWithMe':
      return `f.owner IS NOT ?1 AND f.drive IS NULL AND EXISTS (SELECT 1 FROM grants WHERE item = f.pk AND with_link = 0 AND principal IN ${MY_GROUPS})`
    case 'hidden':
      throw new Error('hidden is not a field of files')
  }
}

function memberCondition(statement: StatementBuilder, { of, value }: Test<'member'>): string {
  if (of === 'labels') return labelCondition(statement, [{ value }])
  if (of === 'parents') return childCondition(statement, value)
  const principal = principalNamed(statement, value)
  if (principal === undefined) return '0'
  const bound = bindValue(statement, principal)
  const holds = `f.acl IN (SELECT acl FROM acl_entries WHERE principal = ${bound}${ROLES[of]})`
  if (of === 'owners') return holds
  return `${holds} AND (f.owner IS ${bound} OR ${bound} IN ${MY_GROUPS} OR ${MAY_SEE_RIGHTS})`
}

/** Callers who may not list an item's permissions find only the owner's and their own through a search (spec 4, 11.2). */
const MAY_SEE_RIGHTS = `f.acl IN (SELECT acl FROM acl_entries
  WHERE principal IN ${MY_PRINCIPALS} AND role NOT IN ('reader', 'commenter'))`

const ROLES: Readonly<Record<'owners' | 'writers' | 'readers', string>> = {
  owners: " AND role = 'owner'",
  writers: " AND role NOT IN ('reader', 'commenter')",
  readers: '',
}

/** Folders that the caller may not see count as empty. */
function childCondition(statement: StatementBuilder, id: string): string {
  const folder = findVisibleFile(statement.db, statement.caller, id)
  if (folder === undefined) return '0'
  return `EXISTS (SELECT 1 FROM parents WHERE parent = ${bindValue(statement, folder.pk)} AND child = f.pk)`
}

/** Condition that the item has one of the labels, named as `labels/ID`. */
function labelCondition(
  statement: StatementBuilder,
  named: readonly Pick<Test<'member'>, 'value'>[],
): string {
  const labels = named.flatMap(({ value }) => {
    const id = value.replace(/^labels\//, '')
    return statement.db.get<{ pk: number }>('SELECT pk FROM labels WHERE id = ?', id)?.pk ?? []
  })
  if (labels.length === 0) return '0'
  const bound = labels.map((label) => bindValue(statement, label))
  return `EXISTS (SELECT 1 FROM file_labels WHERE file = f.pk AND +label IN (${bound.join(', ')}))`
}

function principalNamed({ db, caller }: StatementBuilder, name: string): number | undefined {
  if (name.toLowerCase() === 'me') return caller.user
  return db.get<{ pk: number }>('SELECT pk FROM principals WHERE email = ?', name)?.pk
}

function propertyCondition(
  statement: StatementBuilder,
  { key, value, visibility }: Test<'property'>,
): string {
  const named = `app IN ${writeAppCondition(statement, visibility)} AND key = ${bindValue(statement, key)}`
  const valued = value === undefined ? '' : ` AND value = ${bindValue(statement, value)}`
  return `EXISTS (SELECT 1 FROM properties WHERE file = f.pk AND ${named}${valued})`
}
