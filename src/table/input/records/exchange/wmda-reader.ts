/** Elements of a WMDA inventory as typing records: of each donor and cord blood unit its own HLA, in DNA, else in serology. */
import type { Attributes } from '../../xml-events.ts'
import type { TypingRecord } from '../typing-record.ts'
import { atPlace, faultyRecord, LONGEST_TEXT, PersonFault, type RecordReader } from './document-source.ts'
import {
  type FieldText,
  itemRecords,
  type LocusFields,
  type WmdaInventory,
  type WmdaItem,
} from './wmda-item.ts'
import { brokenRules, CHECKED_TEXTS, INVENTORY_ATTRIBUTES } from './rules/wmda-rules.ts'

/** What elements say that are read as they stand. */
const TEXTS: readonly string[] = ['ID', 'GRID', 'STATUS']

const VERSIONS: readonly string[] = ['2.0', '2.1', '2.2', '2.3']
/** How deep which elements stand. */
const [ROOT, ITEM, PART, LOCUS, METHOD, FIELD] = [1, 3, 4, 5, 6, 7]

/** As long as it is read. */
interface OpenItem extends WmdaItem {
  readonly texts: Map<string, FieldText>
  readonly loci: LocusFields[]
  hasHla: boolean
}

export class WmdaReader implements RecordReader {
  readonly #isLocus: (name: string) => boolean
  readonly #isChecked: boolean
  readonly #texts: readonly string[]
  readonly #records = itemRecords()
  #found: TypingRecord[] = []
  #line = 1
  #depth = 0
  /** Elements under way, by depth. */
  readonly #names: string[] = []
  #inventories = 0
  /** Of the inventory under way. */
  #counts = { DONOR: 0, CBU: 0 }
  #inventory: WmdaInventory = { path: '', line: 0, attributes: new Map() }
  #item: OpenItem | undefined
  #fault: PersonFault | undefined
  /** Of the innermost element. */
  #text = ''

  /** `isChecked`: what a person breaks of the rules is told with its first record. */
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
    // what stands between elements is mostly the line feed and the margin
    if (this.#depth < FIELD && this.#text === '' && isWhite(piece)) return
    if (this.#text.length + piece.length <= LONGEST_TEXT) this.#text += piece
    else this.#fail(`it is longer than ${LONGEST_TEXT} characters`)
  }

  close(): void {
    const item = this.#reading()
    if (item !== undefined) this.#closePart(item)
    if (this.#depth === ITEM) this.#closeItem()
    this.#text = ''
    this.#depth -= 1
  }

  take(): readonly TypingRecord[] {
    const taken = this.#found
    this.#found = []
    return taken
  }

  /** What is read; undefined: nothing, or no more of it. */
  #reading(): OpenItem | undefined {
    return this.#fault === undefined ? this.#item : undefined
  }

  /** The text of the innermost element says something. */
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
    const reason = `version ${shown(version)} of inventories is not read`
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
      texts: new Map(),
      loci: [],
      hasHla: false,
    }
    if (!isItem) this.#fail('an inventory consists of DONOR and CBU elements')
  }

  #openPart(name: string, item: OpenItem): void {
    if (this.#depth === PART && name === 'HLA') {
      if (item.hasHla) this.#fail('it is there twice')
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
    const text = this.#text.trim()
    if (this.#depth === PART && this.#texts.includes(name)) {
      if (texts.has(name)) this.#fail('it is there twice')
      texts.set(name, { text, line: this.#line })
    } else if (this.#depth === FIELD && this.#isInHla()) {
      const both = loci.at(-1)?.[this.#names[METHOD] === 'DNA' ? 'DNA' : 'SER']
      const at = name === 'FIELD1' ? 0 : 1
      if (both?.[at] !== undefined) this.#fail('it is there twice')
      if (both !== undefined) both[at] = { text, line: this.#line }
    } else this.#refuseText()
  }

  #refuseText(): void {
    if (this.#text === '') return
    if (this.#isInHla() && this.#text.trim() !== '') this.#fail('text stands beside elements')
    this.#text = ''
  }

  #closeItem(): void {
    const item = this.#item
    this.#item = undefined
    if (item === undefined) return
    if (this.#fault === undefined) this.#found.push(...this.#checked(item))
    else this.#found.push(faultyRecord(this.#records.person(item), this.#fault))
    this.#fault = undefined
  }

  #checked(item: OpenItem): readonly TypingRecord[] {
    const [first, ...others] = this.#records.make(item)
    if (!this.#isChecked || first === undefined) return first === undefined ? [] : [first, ...others]
    const broken = brokenRules(item, this.#counts.DONOR + this.#counts.CBU === 1)
    return [broken.length === 0 ? first : { ...first, broken }, ...others]
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

  /** The first thing that is wrong is told. */
  #fail(reason: string): void {
    this.#fault ??= new PersonFault(this.#line, this.#path(), reason)
  }
}

const NO_INVENTORY = 'this is no WMDA inventory, which is INVENTORIES of INVENTORY elements'

function isWhite(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > SPACE) return false
  return true
}

const SPACE = 32

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 60))
}
