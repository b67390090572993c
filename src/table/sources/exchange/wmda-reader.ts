/** Donors and cord blood units of a WMDA inventory, each with its HLA in DNA and serology. */
import { quoted } from '../../placed-error.ts'
import { PersonIndex } from '../../person-index.ts'
import {
  MAX_TEXT_LENGTH,
  PersonFault,
  atPlace,
  documentBeginning,
  documentDialect,
  documentText,
  faultyRecord,
  tableText,
} from './document-source.ts'
import { type Element, type TreeReader, readTrees } from './xml-tree.ts'
import {
  type FieldText,
  type LocusFields,
  WMDA_EXTRAS,
  type WmdaInventory,
  type WmdaItem,
  itemPerson,
  itemRecords,
} from './wmda-item.ts'
import type { BrokenRule, TypingPlace } from '../../input/places.ts'
import {
  ETHNIC_GROUPS,
  type FieldRule,
  atMostLong,
  brokenRule,
  date,
  grid,
  oneOf,
  wholeNumber,
} from './rules/field-rules.ts'
import type { RecordFormat, TypingRecord } from '../typing-record.ts'

/** Elements whose text is read unchanged. */
const TEXTS: readonly string[] = ['ID', 'GRID', 'STATUS']

const VERSIONS: readonly string[] = ['2.0', '2.1', '2.2', '2.3']
/** Depths of elements. */
const [ROOT, ITEM, PART] = [1, 3, 4]

class WmdaReader implements TreeReader<TypingRecord> {
  readonly #isLocus: (name: string) => boolean
  readonly #isChecked: boolean
  readonly #texts: readonly string[]
  readonly #known = { ID: new PersonIndex(), GRID: new PersonIndex() }
  #inventories = 0
  /** Counters within the current inventory. */
  #counts = { DONOR: 0, CBU: 0 }
  #inventory: WmdaInventory = { path: '', line: 0, attributes: new Map() }

  /** `isChecked`: report broken rules. */
  constructor(isLocus: (name: string) => boolean, isChecked: boolean) {
    this.#isLocus = isLocus
    this.#isChecked = isChecked
    this.#texts = isChecked ? CHECKED_TEXTS : TEXTS
  }

  isTree(_: string, depth: number): boolean {
    return depth === ITEM
  }

  /** All elements of its HLA; a mother has another. */
  isPart(name: string, depth: number, parent: Element): boolean {
    return depth === PART ? name === 'HLA' || this.#texts.includes(name) : parent.name !== 'DONOR' && parent.name !== 'CBU' // prettier-ignore
  }

  /** @throws {HlaError} io — another format or version */
  around(element: Element, depth: number): void {
    const { name, line } = element
    const isRoot = depth === ROOT
    if (!isRoot) this.#inventories += 1
    const path = isRoot ? `/${name}` : `/INVENTORIES/${name}`
    if (name !== (isRoot ? 'INVENTORIES' : 'INVENTORY')) throw atPlace(line, path, NO_INVENTORY)
    this.#counts = { DONOR: 0, CBU: 0 }
    const attributes = INVENTORY_ATTRIBUTES.flatMap((one) => {
      const text = element.attribute(one)?.trim()
      return text === undefined ? [] : [[one, text] as const]
    })
    this.#inventory = { path: `/INVENTORIES/INVENTORY[${this.#inventories}]`, line, attributes: new Map(attributes) } // prettier-ignore
    const version = this.#inventory.attributes.get('SCHEMA_VERSION')
    if (version === undefined || VERSIONS.includes(version)) return
    const reason = `version ${quoted(version)} of inventories is not read`
    throw atPlace(line, path, reason, `versions are ${VERSIONS.join(' ')}`)
  }

  read(tree: Element): readonly TypingRecord[] {
    const { name, line } = tree
    const isItem = name === 'DONOR' || name === 'CBU'
    if (isItem) this.#counts[name] += 1
    const item: WmdaItem = {
      path: `${this.#inventory.path}/${name}${isItem ? `[${this.#counts[name]}]` : ''}`,
      line,
      type: name === 'CBU' ? 'C' : 'D',
      inventory: this.#inventory,
      isFirst: this.#counts.DONOR + this.#counts.CBU === 1,
      texts: new Map(),
      loci: [],
      hasHla: false,
    }
    const broken: BrokenRule[] = []
    try {
      if (!isItem) throw new PersonFault(line, item.path, 'an inventory consists of DONOR and CBU elements')
      for (const part of tree.children) this.#readPart(part, item)
      if (this.#isChecked) broken.push(...brokenRules(item))
      const reason = this.#judgePerson(item)
      if (reason !== undefined) throw new PersonFault(line, item.path, reason)
      return withRules(itemRecords(item), broken)
    } catch (error) {
      return withRules([faultyRecord(tableText(itemPerson(item)), error)], broken)
    }
  }

  /** @throws {PersonFault} */
  #readPart(part: Element, item: WmdaItem): void {
    const path = `${item.path}/${part.name}`
    if (part.name === 'HLA') {
      if (item.hasHla) throw new PersonFault(part.line, path, 'it occurs twice')
      item.hasHla = true
      for (const locus of part.children) item.loci.push(this.#locus(locus, `${path}/${locus.name}`))
      refuseText(part, path)
    } else {
      if (item.texts.has(part.name)) throw new PersonFault(part.end, path, 'it occurs twice')
      item.texts.set(part.name, fieldText(part, path))
    }
  }

  /** @throws {PersonFault} */
  #locus(locus: Element, path: string): LocusFields {
    const { name, line } = locus
    if (!this.#isLocus(name)) throw new PersonFault(line, path, 'there is no such locus')
    const fields: LocusFields = { name, line, DNA: [], SER: [] }
    for (const method of locus.children) {
      const at = `${path}/${method.name}`
      if (method.name !== 'DNA' && method.name !== 'SER')
        throw new PersonFault(method.line, at, 'a locus has DNA and SER')
      readFields(method, at, fields[method.name])
    }
    refuseText(locus, path)
    return fields
  }

  /** Reason why the person cannot be identified. */
  #judgePerson(item: WmdaItem): string | undefined {
    if (itemPerson(item) === '') return 'it has neither ID nor GRID'
    for (const name of ['ID', 'GRID'] as const) {
      const text = item.texts.get(name)?.text ?? ''
      if (text !== '' && this.#known[name].add(text) === undefined)
        return `${name} ${quoted(text)} occurs twice`
    }
    return undefined
  }
}

const NO_INVENTORY = 'this is not a WMDA inventory: INVENTORIES with INVENTORY elements'
const OTHER_FIELD = 'a typing is FIELD1 and FIELD2'

/** @throws {PersonFault} */
function readFields(method: Element, path: string, fields: (FieldText | undefined)[]): void {
  for (const field of method.children) {
    const at = `${path}/${field.name}`
    const slot = ['FIELD1', 'FIELD2'].indexOf(field.name)
    if (slot < 0) throw new PersonFault(field.line, at, OTHER_FIELD)
    for (const { name, line } of field.children) throw new PersonFault(line, `${at}/${name}`, OTHER_FIELD)
    if (fields[slot] !== undefined) throw new PersonFault(field.end, at, 'it occurs twice')
    fields[slot] = fieldText(field, at)
  }
  refuseText(method, path)
}

/** @throws {PersonFault} */
function fieldText(field: Element, path: string): FieldText {
  if (field.isTooLong)
    throw new PersonFault(field.end, path, `it is longer than ${MAX_TEXT_LENGTH} characters`)
  return { text: field.text.trim(), line: field.end }
}

/** @throws {PersonFault} */
function refuseText({ text, end }: Element, path: string): void {
  if (text !== '') throw new PersonFault(end, path, 'there is text beside elements')
}

/** Adds broken rules of the person to the first record. */
function withRules(records: readonly TypingRecord[], broken: readonly BrokenRule[]): readonly TypingRecord[] {
  return broken.length === 0 ? records : records.map((one, at) => (at === 0 ? { ...one, broken } : one))
}

const SHORT = 32_767

/** Rules for text elements of a donor or cord blood unit. */
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
const CHECKED_TEXTS: readonly string[] = [...RULES.keys(), 'STAT_REASON']

const ORGANIZATION = wholeNumber(1000, 9999)

/** Required attributes of an inventory. */
const OF_INVENTORY: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ['LISTING_ORGANIZATION', ORGANIZATION],
  ['POOL', ORGANIZATION],
  ['CONTENT_TYPE', oneOf('D', 'C', 'B')],
  ['UPDATE_MODE', oneOf('FULL', 'DIFF')],
])

const INVENTORY_ATTRIBUTES: readonly string[] = [...OF_INVENTORY.keys(), 'SCHEMA_VERSION']

const LOCI: readonly string[] = ['A', 'B', 'C', 'DRB1', 'DRB3', 'DRB4', 'DRB5', 'DQA1', 'DQB1', 'DPA1', 'DPB1'] // prettier-ignore
const LOCI_WITH_SEROLOGY: readonly string[] = ['A', 'B', 'C', 'DRB1', 'DQB1']

/** Broken rules; those of its inventory are reported with the inventory's first item. */
function brokenRules(item: WmdaItem): readonly BrokenRule[] {
  const broken: BrokenRule[] = []
  const tell: Tell = (place, value, reason) => void broken.push(brokenRule(place, value, reason))
  if (item.isFirst) checkInventory(item.inventory, tell)
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
    tell({ line: grids.line, path: `${path}/GRID` }, grids.text, 'is allowed for donors only')
  const content = inventory.attributes.get('CONTENT_TYPE')
  if (content !== type && (content === 'D' || content === 'C'))
    tell({ line, path }, '', `is in an inventory with CONTENT_TYPE ${content}`)
  const status = texts.get('STATUS')
  if (status?.text === 'DE' && inventory.attributes.get('UPDATE_MODE') === 'FULL')
    tell({ line: status.line, path: `${path}/STATUS` }, 'DE', 'is allowed with UPDATE_MODE DIFF only')
}

function checkLocus({ path, inventory }: WmdaItem, { name, line, DNA, SER }: LocusFields, tell: Tell): void {
  const at = `${path}/HLA/${name}`
  const isKnown =
    LOCI.includes(name) || (name === 'E' && inventory.attributes.get('SCHEMA_VERSION') === '2.3')
  if (!isKnown) tell({ line, path: at }, '', 'is not a locus of this version')
  if (SER.length > 0 && !LOCI_WITH_SEROLOGY.includes(name))
    tell({ line, path: `${at}/SER` }, '', 'is allowed for A B C DRB1 DQB1 only')
  checkFields(`${at}/DNA`, DNA, line, tell)
  checkFields(`${at}/SER`, SER, line, tell)
}

/** `line` is that of their locus. */
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
    tell({ line: second.line, path: `${path}/FIELD2` }, second.text, 'is given without FIELD1')
}

export const WMDA: RecordFormat = {
  name: 'wmda',
  summary: 'WMDA inventories, versions 2.0 to 2.3 (XML)',
  example: '<DONOR> <ID>D1</ID> <HLA> <A> <DNA> <FIELD1>01:01</FIELD1> <FIELD2/> </DNA> </A> </HLA> </DONOR>',
  open(file, isAsked) {
    if (!isAsked && !/<(?:\w+:)?INVENTORIES\b/.test(documentBeginning(file))) return undefined
    return {
      format: 'WMDA inventory',
      reading: 'the typings of donors and cord blood units: in DNA, else in serology',
      personName: 'ID',
      extras: WMDA_EXTRAS.map((name) => ({ name, isOfTyping: false })),
      ignored: ['all else about a donor', 'serology of a locus that has DNA', 'typings of mothers'],
      dialect: documentDialect(file),
      hasPaths: true,
      isApart: true,
      blocks: () => readTrees(file.input.name, documentText(file), new WmdaReader(file.isLocus, file.isChecked)), // prettier-ignore
    }
  },
}
