/** Samples of an HML message, and their typing records. */
import { quoted } from '../../../placed-error.ts'
import { recognizeDocument } from '../../../../nomenclature/document-format.ts'
import { formatGlStringCode } from '../../../../nomenclature/gl-string-code.ts'
import type { PastNames } from '../../../cells/past-names.ts'
import { PersonIndex } from '../../../person-index.ts'
import { NO_LOCUS } from '../gathering/person.ts'
import { type GlTyping, glTypings } from '../gl-rows.ts'
import type { RecordFormat, RecordInput, TypingRecord } from '../typing-record.ts'
import type { Attributes, XmlHandlers } from '../../xml-events.ts'
import {
  MAX_TEXT_LENGTH,
  PersonFault,
  atPlace,
  documentBeginning,
  documentDialect,
  documentText,
  faultyRecord,
  tableText,
  xmlParts,
  untypedRecord,
} from './document-source.ts'
import { compareReleases } from '../../../../reference/release-number.ts'
import { bareLocus, dnaTyping, hlaRelease, serologicTyping } from './source-typing.ts'

const VERSIONS: readonly string[] = ['1.0', '1.0.1', '1.0.2']

interface HmlGlString {
  readonly line: number
  /** Typings by locus. */
  readonly typings: readonly GlTyping[]
}

interface HmlHaploid {
  readonly locus: string
  /** Typing with its locus. */
  readonly typing: string
  readonly line: number
}

interface HmlAssignment {
  /** `/hml/sample[3]/typing[1]` */
  readonly path: string
  readonly line: number
  /** `IMGT/HLA 3.25.0`; '' when not stated. */
  readonly release: string
  readonly glStrings: HmlGlString[]
  readonly haploids: HmlHaploid[]
  hasGenotypes: boolean
}

interface HmlSample {
  readonly person: string
  readonly path: string
  /** Line of its end. */
  readonly line: number
  readonly assignments: readonly HmlAssignment[]
  /** Reason why it cannot be read; it then has no assignments. */
  readonly fault: PersonFault | undefined
}

class HmlReader implements XmlHandlers {
  readonly #releases: Map<string, number>
  readonly #known = new PersonIndex()
  /** Complete samples. */
  #found: HmlSample[] = []
  /** Allele assignments of the current sample. */
  #assignments: HmlAssignment[] = []
  #fault: PersonFault | undefined
  #depth = 0
  #samples = 0
  /** Number of such elements so far. */
  #typingCount = 0
  #line = 1
  /** undefined outside samples; '' when not stated. */
  #person: string | undefined
  #assignment: HmlAssignment | undefined
  #glString: { readonly line: number; text: string } | undefined

  /** `releases` is filled: release that typings state -> number of allele assignments. */
  constructor(releases: Map<string, number>) {
    this.#releases = releases
  }

  open(name: string, attributes: Attributes, line: number): void {
    this.#depth += 1
    this.#line = line
    if (this.#depth === 1) refuseOther(name, attributes, line)
    else if (name === 'sample' && this.#depth === 2) this.#openSample(attributes)
    else if (name === 'typing' && this.#depth === 3) this.#typingCount += 1
    else if (this.#person === undefined || this.#fault !== undefined) return
    else if (name === 'allele-assignment') this.#openAssignment(attributes)
    else if (this.#assignment !== undefined) this.#openInside(name, attributes, this.#assignment)
  }

  text(piece: string, line: number): void {
    this.#line = line
    const open = this.#glString
    if (open === undefined) return
    if (open.text.length + piece.length <= MAX_TEXT_LENGTH) open.text += piece
    else this.#fail(open.line, `its GL String is longer than ${MAX_TEXT_LENGTH} characters`)
  }

  close(name: string): void {
    this.#depth -= 1
    if (name === 'glstring') this.#closeGlString()
    else if (name === 'allele-assignment') this.#closeAssignment()
    if (name === 'sample' && this.#depth === 1) this.#closeSample()
  }

  /** Samples completed since the last call. */
  take(): readonly HmlSample[] {
    const taken = this.#found
    this.#found = []
    return taken
  }

  #openSample(attributes: Attributes): void {
    this.#samples += 1
    this.#typingCount = 0
    this.#forget()
    this.#fault = undefined
    this.#person = attributes.get('id')?.trim() ?? ''
    if (this.#person === '') this.#fail(this.#line, 'the sample has no id')
    else if (this.#known.add(this.#person) === undefined)
      this.#fail(this.#line, `sample ${quoted(this.#person, 80)} occurs twice`)
  }

  #closeSample(): void {
    this.#typingCount = 0
    const assignments = this.#assignments
    this.#found.push({ person: this.#person ?? '', path: this.#path(), line: this.#line, assignments, fault: this.#fault }) // prettier-ignore
    this.#forget()
    this.#person = undefined
  }

  #openAssignment(attributes: Attributes): void {
    this.#assignment = {
      path: this.#path(),
      line: this.#line,
      release: releaseName(attributes),
      glStrings: [],
      haploids: [],
      hasGenotypes: false,
    }
  }

  #openInside(name: string, attributes: Attributes, assignment: HmlAssignment): void {
    if (name === 'haploid') this.#addHaploid(attributes, assignment)
    else if (name === 'genotype' || name === 'genotype-list') assignment.hasGenotypes = true
    else if (name === 'glstring') {
      const uri = attributes.get('uri')
      if (uri === undefined) this.#glString = { text: '', line: this.#line }
      else
        this.#fail(this.#line, `its GL String is at ${quoted(uri, 80)}, which hla does not fetch`, GL_STRING)
    }
  }

  #addHaploid(attributes: Attributes, { haploids }: HmlAssignment): void {
    const line = this.#line
    const [said, type] = [attributes.get('locus'), attributes.get('type')]
    const locus = bareLocus(said ?? '')
    if (locus === '' || type === undefined) return this.#fail(line, 'a haploid has no locus, or no type')
    const isSerology = /^ser/i.test(attributes.get('method') ?? '')
    const typing = isSerology ? serologicTyping(locus, type) : dnaTyping(locus, type)
    haploids.push({ locus, typing, line })
  }

  #closeGlString(): void {
    if (this.#glString === undefined) return
    const { text, line } = this.#glString
    this.#glString = undefined
    // typings in a table have no prefix
    const cell = text.replaceAll(/\s+|HLA-/g, '')
    if (cell === '') return
    this.#assignment?.glStrings.push({ line, typings: glTypings(cell) })
  }

  #closeAssignment(): void {
    const assignment = this.#assignment
    this.#assignment = undefined
    if (assignment === undefined) return
    this.#assignments.push(assignment)
    const { glStrings, haploids, hasGenotypes, line, release } = assignment
    if (release !== '') this.#releases.set(release, (this.#releases.get(release) ?? 0) + 1)
    if (glStrings.length === 0 && haploids.length === 0 && hasGenotypes)
      this.#fail(line, 'its typing has only genotype elements, which hla does not read', GL_STRING)
    for (const one of glStrings)
      for (const { locus, typing } of one.typings)
        if (locus === NO_LOCUS) this.#fail(one.line, `${quoted(typing, 80)} names no locus`)
  }

  /** Records the sample's first fault and drops its typings. */
  #fail(line: number, reason: string, hint?: string): void {
    this.#fault ??= new PersonFault(line, this.#path(), reason, hint)
    this.#forget()
  }

  #forget(): void {
    this.#assignments = []
    this.#glString = undefined
  }

  #path(): string {
    const sample = this.#samples === 0 ? '/hml' : `/hml/sample[${this.#samples}]`
    return this.#typingCount === 0 ? sample : `${sample}/typing[${this.#typingCount}]`
  }
}

/** For each allele assignment its GL Strings, else its haploids, which are another form of the same. */
function sampleRecords(
  sample: HmlSample,
  past: PastNames | undefined,
  ignored: string[],
): readonly TypingRecord[] {
  const { path, line, assignments, fault } = sample
  const person = tableText(sample.person)
  if (fault !== undefined) return [faultyRecord(person, fault)]
  const isChosen = releaseChooser(assignments, past?.label)
  const records = assignments.flatMap((assignment) => {
    const { release, path: place } = assignment
    const said = typingsOf(assignment).filter(({ locus }) => isChosen(assignment, locus))
    if (said.length === 0 && typingsOf(assignment).length > 0) ignored[0] = OTHER_RELEASES
    return said.map((one) => ({
      person,
      locus: tableText(one.locus),
      typing: tableText(inRelease(one.typing, release, past)),
      slot: one.slot,
      line: one.line,
      values: [],
      path: place,
    }))
  })
  return records.length > 0 ? records : [untypedRecord({ person, values: [], line }, path)]
}

const OTHER_RELEASES = 'allele assignments of other releases'

function typingsOf({
  glStrings,
  haploids,
}: HmlAssignment): readonly (GlTyping & { readonly line: number })[] {
  if (glStrings.length === 0) return haploids.map((one) => ({ ...one, slot: undefined }))
  return glStrings.flatMap((one) => one.typings.map((part) => ({ ...part, line: one.line })))
}

/**
 * A typing may have an allele assignment for each of several releases: chosen is that of the newest not above ours,
 * else the oldest. Omit `label` to choose the newest.
 */
function releaseChooser(
  assignments: readonly HmlAssignment[],
  label: string | undefined,
): (assignment: HmlAssignment, locus: string) => boolean {
  if (new Set(assignments.map(({ path }) => path)).size === assignments.length) return () => true
  const stated = new Map<string, string[]>()
  const keyOf = ({ path }: HmlAssignment, locus: string) => `${path}\n${locus}`
  for (const one of assignments) {
    const release = hlaRelease(one.release)
    if (release === undefined) continue
    for (const { locus } of typingsOf(one)) stated.set(keyOf(one, locus), [...(stated.get(keyOf(one, locus)) ?? []), release]) // prettier-ignore
  }
  return (assignment, locus) => {
    const release = hlaRelease(assignment.release)
    const all = (stated.get(keyOf(assignment, locus)) ?? []).toSorted(compareReleases)
    const chosen = all.findLast((one) => label === undefined || compareReleases(one, label) <= 0) ?? all[0]
    return release === undefined || release === chosen
  }
}

/**
 * A GL String Code of the release that the assignment states, if names have changed their meaning since, so that they
 * are translated. Other typings are unchanged.
 */
function inRelease(typing: string, stated: string, past: PastNames | undefined): string {
  const release = hlaRelease(stated)
  if (release === undefined || !typing.includes('*') || typing.startsWith('hla#')) return typing
  return past?.hasChanged(release, typing) === true ? formatGlStringCode(release, typing) : typing
}

const GL_STRING = 'give the typing as the text of a glstring element'

/** @throws {HlaError} io — another format or version */
function refuseOther(name: string, attributes: Attributes, line: number): void {
  if (name !== 'hml') throw atPlace(line, `/${name}`, 'this is not HML, whose first element is hml')
  const space = /\/hml\/(\d[\d.]*)$/.exec(attributes.get('xmlns') ?? '')
  const version = attributes.get('version') ?? space?.[1]
  if (version === undefined || VERSIONS.includes(version)) return
  throw atPlace(
    line,
    '/hml',
    `version ${quoted(version, 80)} of HML is not read`,
    `versions are ${VERSIONS.join(' ')}`,
  )
}

/** `IMGT/HLA 3.25.0`; '' when not stated. */
function releaseName(attributes: Attributes): string {
  const said = [attributes.get('allele-db'), attributes.get('allele-version')]
  return said
    .flatMap((one) => (one === undefined || one.trim() === '' ? [] : [one.trim().slice(0, 40)]))
    .join(' ')
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
      releases,
      blocks: () => hmlRecords(file, releases, ignored),
    }
  },
}

async function* hmlRecords(
  file: RecordInput,
  releases: Map<string, number>,
  ignored: string[],
): AsyncGenerator<readonly TypingRecord[]> {
  for await (const samples of xmlParts(file.input.name, documentText(file), new HmlReader(releases)))
    yield samples.flatMap((sample) => sampleRecords(sample, file.past, ignored))
}
