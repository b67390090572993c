/** What a donor or cord blood unit of a WMDA inventory is not as Inventories.xsd and basicTypes.xsd have it. Pure. */
import type { BrokenRule, TypingPlace } from '../../typing-places.ts'
import {
  atMostLong,
  brokenRule,
  date,
  ETHNIC_GROUPS,
  type FieldRule,
  grid,
  oneOf,
  wholeNumber,
} from './field-rules.ts'
import type { LocusFields, WmdaInventory, WmdaItem } from '../wmda-item.ts'

const SHORT = 32_767

/** Elements of a donor or cord blood unit with a text. */
const RULES: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ['ID', atMostLong(25)],
  ['GRID', grid],
  ['ATTR', atMostLong(3)],
  ['BIRTH_DATE', date],
  ['SEX', oneOf('F', 'M')],
  ['ABO', oneOf('A', 'B', 'O', 'AB')],
  ['RHESUS', oneOf('P', 'N')],
  ['ETHN', oneOf(...ETHNIC_GROUPS)],
  ['CCR5', oneOf('DD', 'WW', 'DW')],
  ['RSV_PAT', atMostLong(17)],
  ['STATUS', oneOf('AV', 'TU', 'RS', 'DE')],
  ['STAT_END_DATE', date],
  ['CONTACT_DATE', date],
  ['CHECKUP_DATE', date],
  ['WEIGHT', wholeNumber(1, 999)],
  ['HEIGHT', wholeNumber(1, 999)],
  ['NMBR_TRANS', wholeNumber(0, SHORT)],
  ['NMBR_PREG', wholeNumber(0, SHORT)],
  ['NMBR_MARR', wholeNumber(0, SHORT)],
  ['NMBR_PBSC', wholeNumber(0, SHORT)],
  ['COLL_TYPE', oneOf('M', 'P', 'B')],
])

const STAT_REASON = {
  D: oneOf('DO', 'DD', 'MR', 'PR', 'TX', 'MO', 'UC', 'TQ', 'OT', 'UK'),
  C: oneOf('QR', 'AD', 'CD', 'DS', 'XP', 'MR', 'OT', 'UK'),
}

/** Elements whose texts are checked. */
export const CHECKED_TEXTS: readonly string[] = [...RULES.keys(), 'STAT_REASON']

const ORGANIZATION = wholeNumber(1000, 9999)

/** Attributes that an inventory must have. */
const OF_INVENTORY: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ['LISTING_ORGANIZATION', ORGANIZATION],
  ['POOL', ORGANIZATION],
  ['CONTENT_TYPE', oneOf('D', 'C', 'B')],
  ['UPDATE_MODE', oneOf('FULL', 'DIFF')],
])

export const INVENTORY_ATTRIBUTES: readonly string[] = [...OF_INVENTORY.keys(), 'SCHEMA_VERSION']

const LOCI: readonly string[] = ['A', 'B', 'C', 'DRB1', 'DRB3', 'DRB4', 'DRB5', 'DQA1', 'DQB1', 'DPA1', 'DPB1'] // prettier-ignore
const LOCI_WITH_SEROLOGY: readonly string[] = ['A', 'B', 'C', 'DRB1', 'DQB1']

/** `isFirst`: what is wrong with its inventory is told with the first of it. */
export function brokenRules(item: WmdaItem, isFirst: boolean): readonly BrokenRule[] {
  const broken: BrokenRule[] = []
  const tell: Tell = (place, value, reason) => void broken.push(brokenRule(place, value, reason))
  if (isFirst) checkInventory(item.inventory, tell)
  checkTexts(item, tell)
  checkPresence(item, tell)
  for (const fields of item.loci) checkLocus(item, fields, tell)
  return broken
}

type Tell = (place: TypingPlace, value: string, reason: string) => void

function checkInventory({ path, line, attributes }: WmdaInventory, tell: Tell): void {
  for (const [name, rule] of OF_INVENTORY) {
    const text = attributes.get(name)
    const wrong = text === undefined ? 'is missing' : rule(text)
    if (wrong !== undefined) tell({ line, path: `${path}/@${name}` }, text ?? '', wrong)
  }
}

function checkTexts({ path, texts, type }: WmdaItem, tell: Tell): void {
  for (const [name, { text, line }] of texts) {
    const wrong = (name === 'STAT_REASON' ? STAT_REASON[type] : RULES.get(name))?.(text)
    if (wrong !== undefined) tell({ line, path: `${path}/${name}` }, text, text === '' ? 'is empty' : wrong)
  }
}

function checkPresence({ path, line, texts, type, hasHla, inventory }: WmdaItem, tell: Tell): void {
  const isNew = inventory.attributes.get('SCHEMA_VERSION') === '2.3'
  const needed = ['BIRTH_DATE', 'STATUS', ...(type === 'C' ? ['ID'] : isNew ? ['GRID'] : [])]
  for (const name of needed) if (!texts.has(name)) tell({ line, path: `${path}/${name}` }, '', 'is missing')
  if (!hasHla) tell({ line, path: `${path}/HLA` }, '', 'is missing')
  const grids = texts.get('GRID')
  if (isNew && type === 'C' && grids !== undefined)
    tell({ line: grids.line, path: `${path}/GRID` }, grids.text, 'is of donors only')
  const content = inventory.attributes.get('CONTENT_TYPE')
  if (content !== type && (content === 'D' || content === 'C'))
    tell({ line, path }, '', `stands in an inventory of CONTENT_TYPE ${content}`)
  const status = texts.get('STATUS')
  if (status?.text === 'DE' && inventory.attributes.get('UPDATE_MODE') === 'FULL')
    tell({ line: status.line, path: `${path}/STATUS` }, 'DE', 'is of UPDATE_MODE DIFF only')
}

function checkLocus({ path, inventory }: WmdaItem, { name, line, DNA, SER }: LocusFields, tell: Tell): void {
  const at = `${path}/HLA/${name}`
  const isKnown =
    LOCI.includes(name) || (name === 'E' && inventory.attributes.get('SCHEMA_VERSION') === '2.3')
  if (!isKnown) tell({ line, path: at }, '', 'is no locus of this version')
  if (SER.length > 0 && !LOCI_WITH_SEROLOGY.includes(name))
    tell({ line, path: `${at}/SER` }, '', 'is of A B C DRB1 DQB1 only')
  checkFields(`${at}/DNA`, DNA, line, tell)
  checkFields(`${at}/SER`, SER, line, tell)
}

/** The line is of their locus. */
function checkFields(path: string, fields: LocusFields['DNA'], line: number, tell: Tell): void {
  const [first, second] = fields
  if (fields.length === 0) return
  const rule = path.endsWith('/DNA') ? atMostLong(20) : atMostLong(5)
  for (const slot of [1, 2]) {
    const field = fields[slot - 1]
    const wrong = field === undefined ? 'is missing' : rule(field.text)
    if (wrong !== undefined)
      tell({ line: field?.line ?? line, path: `${path}/FIELD${slot}` }, field?.text ?? '', wrong)
  }
  if (first?.text === '' && second !== undefined && second.text !== '')
    tell({ line: second.line, path: `${path}/FIELD2` }, second.text, 'stands without FIELD1')
}
