/** Samples of an HML message, and their typing records. */
import { quoted } from '../../placed-error.ts'
import { recognizeDocument } from '../../../nomenclature/document-format.ts'
import { formatGlStringCode } from '../../../nomenclature/gl-string-code.ts'
import { compareReleases } from '../../../reference/release-number.ts'
import type { PastNames } from '../../cells/past-names.ts'
import { PersonIndex } from '../../person-index.ts'
import { NO_LOCUS } from '../gathering/person.ts'
import type { TypingPlace, TypingPlaces } from '../../input/places.ts'
import { type GlTyping, glTypings } from '../gl-rows.ts'
import type { RecordFormat, TypingRecord } from '../typing-record.ts'
import {
  MAX_TEXT_LENGTH,
  PersonFault,
  atPlace,
  documentBeginning,
  documentDialect,
  documentText,
  faultyRecord,
  placedRecord,
  tableText,
  untypedRecord,
} from './document-source.ts'
import { bareLocus, dnaTyping, serologicTyping } from './source-typing.ts'
import { hlaRelease } from '../../../reference/release-number.ts'
import { type Element, type TreeReader, readTrees } from './xml-tree.ts'

const VERSIONS: readonly string[] = ['1.0', '1.0.1', '1.0.2']
const PARTS: readonly string[] = ['typing', 'allele-assignment', 'haploid', 'genotype', 'genotype-list', 'glstring'] // prettier-ignore
const SAMPLE_DEPTH = 2

/** Typing as in a table, with its place. */
interface HmlTyping extends Pick<TypingRecord, 'locus' | 'typing' | 'slot'> {
  readonly place: HmlPlace
}

/** Place of a GL String or a haploid. Compact: hundreds of thousands are in memory. */
class HmlPlace implements TypingPlaces {
  readonly line: number
  readonly #sample: number
  /** 0 outside typings. */
  readonly #typing: number

  constructor(line: number, sample: number, typing: number) {
    this.line = line
    this.#sample = sample
    this.#typing = typing
  }

  get path(): string {
    const sample = `/hml/sample[${this.#sample}]`
    return this.#typing === 0 ? sample : `${sample}/typing[${this.#typing}]`
  }

  atLine(line: number): HmlPlace {
    return new HmlPlace(line, this.#sample, this.#typing)
  }

  find(): HmlPlace {
    return this
  }
}

/** Release that allele assignments state. */
interface StatedRelease {
  /** `3.25.0`; undefined when not stated, or of another database. */
  readonly label: string | undefined
  /** Text of an element -> its typings. */
  readonly glStrings: Map<string, readonly GlTyping[]>
}

interface Assignment {
  readonly release: StatedRelease
  readonly typings: readonly HmlTyping[]
}

/** Maximum number of GL Strings remembered for a release. */
const MAX_KNOWN = 20_000

class HmlReader implements TreeReader<TypingRecord> {
  readonly #past: PastNames | undefined
  readonly #counts: Map<string, number>
  readonly #ignored: string[]
  readonly #known = new PersonIndex()
  readonly #releases = new Map<string, StatedRelease>()
  #samples = 0

  /** Fills `counts`, release -> number of allele assignments that state it, and `ignored`. */
  constructor(past: PastNames | undefined, counts: Map<string, number>, ignored: string[]) {
    this.#past = past
    this.#counts = counts
    this.#ignored = ignored
  }

  isTree(name: string, depth: number): boolean {
    return name === 'sample' && depth === SAMPLE_DEPTH
  }

  isPart(name: string, _: number, parent: Element): boolean {
    return PARTS.includes(name) || parent.name === 'glstring'
  }

  /** @throws {HlaError} io — another format or version */
  around(element: Element, depth: number): void {
    const { name, line } = element
    if (depth > 1) return
    if (name !== 'hml') throw atPlace(line, `/${name}`, 'this is not HML, whose first element is hml')
    const space = /\/hml\/(\d[\d.]*)$/.exec(element.attribute('xmlns') ?? '')
    const version = element.attribute('version') ?? space?.[1]
    if (version === undefined || VERSIONS.includes(version)) return
    const reason = `version ${quoted(version, 80)} of HML is not read`
    throw atPlace(line, '/hml', reason, `versions are ${VERSIONS.join(' ')}`)
  }

  read(sample: Element): readonly TypingRecord[] {
    this.#samples += 1
    const id = sample.attribute('id')?.trim() ?? ''
    const person = tableText(id)
    const place = new HmlPlace(sample.line, this.#samples, 0)
    try {
      if (id === '') throw faultAt(place, 'the sample has no id')
      if (this.#known.add(id) === undefined) throw faultAt(place, `sample ${quoted(id, 80)} occurs twice`)
      const typings = sample.children.filter(({ name }) => name === 'typing')
      const found = [
        ...typings.flatMap((typing, at) => this.#typings(typing, at + 1)),
        ...this.#typings(sample, 0),
      ]
      if (found.length === 0) return [untypedRecord({ person, values: NONE, line: sample.end })]
      return found.map((one) => placedRecord({ person, values: NONE, line: one.place.line }, one.place, one))
    } catch (error) {
      return [faultyRecord(person, error)]
    }
  }

  /** Typings of the element's allele assignments: at each locus those of one release. @throws {PersonFault} */
  #typings(element: Element, typing: number): readonly HmlTyping[] {
    const assignments = element.children.flatMap(
      (one) =>
      one.name === 'allele-assignment' ? [this.#assignment(one, new HmlPlace(one.line, this.#samples, typing))] : [], // prettier-ignore
    )
    if (assignments.length < 2) return assignments[0]?.typings ?? []
    const chosen = chosenReleases(assignments, this.#past?.label)
    return assignments.flatMap(({ release: { label }, typings }) => {
      const own = typings.filter(({ locus }) => label === undefined || label === chosen.get(locus))
      if (own.length === 0 && typings.length > 0) this.#ignored[0] = OTHER_RELEASES
      return own
    })
  }

  /** GL Strings, else haploids, which are another form of the same. @throws {PersonFault} */
  #assignment(element: Element, place: HmlPlace): Assignment {
    const release = this.#release(element)
    const [glStrings, haploids]: [HmlTyping[], HmlTyping[]] = [[], []]
    const parts = descendants(element)
    for (const part of parts) {
      if (part.name === 'glstring') this.#addGlString(part, place.atLine(part.line), release, glStrings)
      if (part.name === 'haploid') this.#addHaploid(part, place.atLine(part.line), release, haploids)
    }
    const typings = glStrings.length > 0 ? glStrings : haploids
    if (typings.length === 0 && parts.some(({ name }) => name.startsWith('genotype')))
      throw faultAt(place, 'its typing has only genotype elements, which hla does not read', GL_STRING)
    const lost = typings.find(({ locus }) => locus === NO_LOCUS)
    if (lost !== undefined) throw faultAt(lost.place, `${quoted(lost.typing, 80)} names no locus`)
    return { release, typings }
  }

  #addGlString(part: Element, place: HmlPlace, release: StatedRelease, typings: HmlTyping[]): void {
    const uri = part.attribute('uri')
    if (uri !== undefined)
      throw faultAt(place, `its GL String is at ${quoted(uri, 80)}, which hla does not fetch`, GL_STRING)
    if (part.children.length > 0) throw faultAt(place, 'its GL String contains elements', GL_STRING)
    if (part.isTooLong) throw faultAt(place, `its GL String is longer than ${MAX_TEXT_LENGTH} characters`)
    const { glStrings } = release
    let known = glStrings.get(part.text)
    if (known === undefined) {
      // typings in a table have no prefix
      const cell = part.text.replaceAll(/\s+|HLA-/g, '')
      known = cell === '' ? [] : glTypings(cell).map((one) => this.#inTable(one, release))
      if (glStrings.size >= MAX_KNOWN) glStrings.clear()
      glStrings.set(part.text, known)
    }
    for (const { locus, typing, slot } of known) typings.push({ locus, typing, slot, place })
  }

  #addHaploid(part: Element, place: HmlPlace, release: StatedRelease, typings: HmlTyping[]): void {
    const locus = bareLocus(part.attribute('locus') ?? '')
    const type = part.attribute('type')
    if (locus === '' || type === undefined) throw faultAt(place, 'a haploid has no locus, or no type')
    const isSerology = /^ser/i.test(part.attribute('method') ?? '')
    const typing = isSerology ? serologicTyping(locus, type) : dnaTyping(locus, type)
    typings.push({ ...this.#inTable({ locus, typing, slot: undefined }, release), place })
  }

  /**
   * A GL String Code of the release that the assignment states, if names have changed their meaning since, so that they
   * are translated. Other typings are unchanged.
   */
  #inTable({ locus, typing, slot }: GlTyping, { label }: StatedRelease): GlTyping {
    const isCode =
      label !== undefined &&
      locus !== NO_LOCUS &&
      typing.includes('*') &&
      !typing.startsWith('hla#') &&
      this.#past?.hasChanged(label, typing) === true
    const text = isCode ? formatGlStringCode(label, typing) : typing
    return { locus: tableText(locus), typing: tableText(text), slot }
  }

  #release(assignment: Element): StatedRelease {
    const stated = ['allele-db', 'allele-version'].map((name) =>
      assignment.attribute(name)?.trim().slice(0, 40),
    )
    const name = stated.filter((one) => one !== undefined && one !== '').join(' ')
    if (name !== '') this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    const release = this.#releases.get(name) ?? { label: hlaRelease(name), glStrings: new Map() }
    this.#releases.set(name, release)
    return release
  }
}

const NONE: readonly string[] = []
const OTHER_RELEASES = 'allele assignments of other releases'
const GL_STRING = 'give the typing as the text of a glstring element'

function faultAt({ line, path }: TypingPlace, reason: string, hint?: string): PersonFault {
  return new PersonFault(line, path, reason, hint)
}

/** Elements in it, in order. */
function descendants({ children }: Element): readonly Element[] {
  return children.flatMap((one) => (one.children.length === 0 ? one : [one, ...descendants(one)]))
}

/**
 * Locus -> release of the assignments that are read: the newest not above ours, else the oldest. Omit `ours` to choose
 * the newest.
 */
function chosenReleases(
  assignments: readonly Assignment[],
  ours: string | undefined,
): ReadonlyMap<string, string> {
  const isOurs = (label: string) => ours === undefined || compareReleases(label, ours) <= 0
  const chosen = new Map<string, string>()
  for (const { release, typings } of assignments) {
    const { label } = release
    if (label === undefined) continue
    for (const { locus } of typings) {
      const other = chosen.get(locus) ?? label
      const [older, newer] = compareReleases(label, other) < 0 ? [label, other] : [other, label]
      chosen.set(locus, isOurs(newer) ? newer : older)
    }
  }
  return chosen
}

export const HML: RecordFormat = {
  name: 'hml',
  summary: 'HML 1.0.1 and 1.0.2',
  example: '<glstring>HLA-A*01:01+HLA-A*02:01</glstring>',
  open(file, isAsked) {
    if (!isAsked && recognizeDocument(documentBeginning(file)) !== 'HML') return undefined
    const releases = new Map<string, number>()
    const ignored: string[] = []
    return {
      format: 'HML',
      reading: 'the GL Strings of samples',
      personName: 'sample',
      extras: [],
      ignored,
      dialect: documentDialect(file),
      hasPaths: true,
      isApart: true,
      releases,
      blocks: () =>
        readTrees(file.input.name, documentText(file), new HmlReader(file.past, releases, ignored)),
    }
  },
}
