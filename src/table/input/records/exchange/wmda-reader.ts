/** Donors and cord blood units of a WMDA inventory, each with its HLA in DNA and serology. */
import { quoted } from '../../../placed-error.ts'
import type { Attributes, XmlHandlers } from '../../xml-events.ts'
import { PersonIndex } from '../../../person-index.ts'
import {
  MAX_TEXT_LENGTH,
  PersonFault,
  atPlace,
  documentBeginning,
  documentDialect,
  documentText,
  xmlParts,
} from './document-source.ts'
import {
  type FieldText,
  type LocusFields,
  WMDA_EXTRAS,
  type WmdaInventory,
  type WmdaItem,
  itemPerson,
  itemRecords,
} from './wmda-item.ts'
import type { BrokenRule, TypingPlace } from '../gathering/places.ts'
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
import type { RecordFormat, RecordInput, TypingRecord } from '../typing-record.ts'

/** Elements whose text is read unchanged. */
const TEXTS: readonly string[] = ['ID', 'GRID', 'STATUS']

const VERSIONS: readonly string[] = ['2.0', '2.1', '2.2', '2.3']
/** Depths of elements. */
const [ROOT, ITEM, PART, LOCUS, METHOD, FIELD] = [1, 3, 4, 5, 6, 7]

/** An item being read. */
interface OpenItem extends WmdaItem {
  readonly texts: Map<string, FieldText>
  readonly loci: LocusFields[]
  hasHla: boolean
  fault: PersonFault | undefined
  broken: readonly BrokenRule[]
}

class WmdaReader implements XmlHandlers {
  readonly #isLocus: (name: string) => boolean
  readonly #isChecked: boolean
  readonly #texts: readonly string[]
  readonly #known = { ID: new PersonIndex(), GRID: new PersonIndex() }
  #found: TypingRecord[] = []
  #line = 1
  #depth = 0
  /** Names of open elements, by depth. */
  readonly #names: string[] = []
  #inventories = 0
  /** Counters within the current inventory. */
  #counts = { DONOR: 0, CBU: 0 }
  #inventory: WmdaInventory = { path: '', line: 0, attributes: new Map() }
  #item: OpenItem | undefined
  /** Text of the innermost element. */
  #text = ''

  /** `isChecked`: report broken rules. */
  constructor(isLocus: (name: string) => boolean, isChecked: boolean) {
    this.#isLocus = isLocus
    this.#isChecked = isChecked
    this.#texts = isChecked ? CHECKED_TEXTS : TEXTS
  }

  open(name: string, attributes: Attributes, line: number): void {
    this.#line = line
    const item = this.#reading()
    if (item !== undefined) this.#refuseText()
    this.#depth += 1
    this.#names[this.#depth] = name
    if (this.#depth < ITEM) this.#openInventory(name, attributes)
    else if (this.#depth === ITEM) this.#openItem(name)
    else if (item !== undefined) this.#openPart(name, item)
  }

  text(piece: string, line: number): void {
    this.#line = line
    if (this.#reading() === undefined || !this.#isRead()) return
    // text between elements is mostly line feeds and indentation
    if (this.#depth < FIELD && this.#text === '' && isWhite(piece)) return
    if (this.#text.length + piece.length <= MAX_TEXT_LENGTH) this.#text += piece
    else this.#fail(`it is longer than ${MAX_TEXT_LENGTH} characters`)
  }

  close(): void {
    const item = this.#reading()
    if (item !== undefined) this.#closePart(item)
    if (this.#depth === ITEM) this.#closeItem()
    this.#text = ''
    this.#depth -= 1
  }

  /** Records of donors and units completed since the last call. */
  take(): readonly TypingRecord[] {
    const taken = this.#found
    this.#found = []
    return taken
  }

  /** Current item; undefined for none, or one with a fault. */
  #reading(): OpenItem | undefined {
    return this.#item?.fault === undefined ? this.#item : undefined
  }

  /** True when the text of the innermost element is used. */
  #isRead(): boolean {
    return this.#isInHla() || (this.#depth === PART && this.#texts.includes(this.#names[PART] ?? ''))
  }

  #isInHla(): boolean {
    return this.#depth >= PART && this.#names[PART] === 'HLA'
  }

  #openInventory(name: string, attributes: Attributes): void {
    const isRoot = this.#depth === ROOT
    if (name !== (isRoot ? 'INVENTORIES' : 'INVENTORY')) throw atPlace(this.#line, this.#path(), NO_INVENTORY)
    if (!isRoot) this.#inventories += 1
    this.#counts = { DONOR: 0, CBU: 0 }
    this.#inventory = this.#readInventory(attributes)
    const version = attributes.get('SCHEMA_VERSION')?.trim()
    if (version === undefined || VERSIONS.includes(version)) return
    const reason = `version ${quoted(version)} of inventories is not read`
    throw atPlace(this.#line, this.#path(), reason, `versions are ${VERSIONS.join(' ')}`)
  }

  #openItem(name: string): void {
    const isItem = name === 'DONOR' || name === 'CBU'
    if (isItem) this.#counts[name] += 1
    const number = isItem ? `[${this.#counts[name]}]` : ''
    this.#item = {
      path: `${this.#inventory.path}/${name}${number}`,
      line: this.#line,
      type: name === 'CBU' ? 'C' : 'D',
      inventory: this.#inventory,
      isFirst: this.#counts.DONOR + this.#counts.CBU === 1,
      texts: new Map(),
      loci: [],
      hasHla: false,
      fault: undefined,
      broken: [],
    }
    if (!isItem) this.#fail('an inventory consists of DONOR and CBU elements')
  }

  #openPart(name: string, item: OpenItem): void {
    if (this.#depth === PART && name === 'HLA') {
      if (item.hasHla) this.#fail('it occurs twice')
      item.hasHla = true
    } else if (!this.#isInHla()) return
    else if (this.#depth === LOCUS) {
      if (!this.#isLocus(name)) this.#fail('there is no such locus')
      item.loci.push({ name, line: this.#line, DNA: [], SER: [] })
    } else if (this.#depth === METHOD) {
      if (name !== 'DNA' && name !== 'SER') this.#fail('a locus has DNA and SER')
    } else if (this.#depth > FIELD || (name !== 'FIELD1' && name !== 'FIELD2'))
      this.#fail('a typing is FIELD1 and FIELD2')
  }

  #closePart({ texts, loci }: OpenItem): void {
    const name = this.#names[this.#depth] ?? ''
    const field = { text: this.#text.trim(), line: this.#line }
    if (this.#depth === PART && this.#texts.includes(name)) {
      if (texts.has(name)) this.#fail('it occurs twice')
      texts.set(name, field)
    } else if (this.#depth === FIELD && this.#isInHla()) {
      const both = loci.at(-1)?.[this.#names[METHOD] === 'DNA' ? 'DNA' : 'SER']
      const at = name === 'FIELD1' ? 0 : 1
      if (both?.[at] !== undefined) this.#fail('it occurs twice')
      if (both !== undefined) both[at] = field
    } else this.#refuseText()
  }

  #refuseText(): void {
    if (this.#text === '') return
    if (this.#isInHla() && this.#text.trim() !== '') this.#fail('there is text beside elements')
    this.#text = ''
  }

  #closeItem(): void {
    const item = this.#item
    this.#item = undefined
    if (item === undefined) return
    if (item.fault === undefined) {
      if (this.#isChecked) item.broken = brokenRules(item)
      const reason = this.#judgePerson(item)
      if (reason !== undefined) item.fault = new PersonFault(item.line, item.path, reason)
    }
    this.#found.push(...itemRecords(item))
  }

  /** Reason why the person cannot be identified. */
  #judgePerson(item: OpenItem): string | undefined {
    if (itemPerson(item) === '') return 'it has neither ID nor GRID'
    for (const name of ['ID', 'GRID'] as const) {
      const text = item.texts.get(name)?.text ?? ''
      if (text !== '' && this.#known[name].add(text) === undefined)
        return `${name} ${quoted(text)} occurs twice`
    }
    return undefined
  }

  #readInventory(attributes: Attributes): WmdaInventory {
    const said = INVENTORY_ATTRIBUTES.flatMap((name) => {
      const text = attributes.get(name)?.trim()
      return text === undefined ? [] : [[name, text] as const]
    })
    const path = `/INVENTORIES/INVENTORY[${this.#inventories}]`
    return { path, line: this.#line, attributes: new Map(said) }
  }

  #path(): string {
    const inItem = this.#names.slice(PART, this.#depth + 1)
    const names = this.#item === undefined ? this.#names.slice(ROOT, this.#depth + 1) : inItem
    return [this.#item?.path ?? '', ...names].join('/')
  }

  /** Records the first fault. */
  #fail(reason: string): void {
    if (this.#item !== undefined) this.#item.fault ??= new PersonFault(this.#line, this.#path(), reason)
  }
}

const NO_INVENTORY = 'this is not a WMDA inventory: INVENTORIES with INVENTORY elements'

function isWhite(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > SPACE) return false
  return true
}

const SPACE = 32

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
      blocks: () => wmdaRecords(file),
    }
  },
}

function wmdaRecords(file: RecordInput): AsyncGenerator<readonly TypingRecord[]> {
  return xmlParts(file.input.name, documentText(file), new WmdaReader(file.isLocus, file.isChecked))
}
