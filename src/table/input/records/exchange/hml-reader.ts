/** Elements of an HML message as typing records: of each allele assignment its GL Strings, else its haploids. */
import { recognizeDocument } from '../../../../nomenclature/document-format.ts'
import { formatGlStringCode } from '../../../../nomenclature/gl-string-code.ts'
import type { PastNames } from '../../../cells/past-names.ts'
import { personSet } from '../gathering/person-set.ts'
import { glTypings } from '../gl-rows.ts'
import type { RecordFormat, TypingRecord } from '../typing-record.ts'
import type { Attributes } from '../../xml-events.ts'
import {
  atPlace,
  documentBeginning,
  documentDialect,
  faultyRecord,
  LONGEST_TEXT,
  PersonFault,
  type RecordReader,
  tableText,
  xmlRecords,
} from './document-source.ts'
import { hlaRelease } from './stated-release.ts'
import { bareLocus, dnaTyping, serologicTyping } from './source-typing.ts'

const VERSIONS: readonly string[] = ['1.0', '1.0.1', '1.0.2']

interface Haploid {
  readonly locus: string
  readonly typing: string
  readonly line: number
}

/** One `<allele-assignment>`. */
interface Assignment {
  readonly line: number
  readonly release: string
  readonly glStrings: { readonly text: string; readonly line: number }[]
  readonly haploids: Haploid[]
  hasGenotypes: boolean
}

export class HmlReader implements RecordReader {
  readonly #releases: Map<string, number>
  readonly #past: PastNames | undefined
  readonly #known = personSet()
  /** Of samples that are whole. */
  #records: TypingRecord[] = []
  /** Of the sample under way. */
  #own: TypingRecord[] = []
  #fault: PersonFault | undefined
  #depth = 0
  #samples = 0
  #typings = 0
  #line = 1
  /** undefined: outside of samples; '' where it is not said. */
  #person: string | undefined
  #assignment: Assignment | undefined
  #glString: { text: string; readonly line: number } | undefined

  /** `releases` gets the releases that the typings were made with: name -> allele assignments. */
  constructor(releases: Map<string, number>, past?: PastNames) {
    this.#releases = releases
    this.#past = past
  }

  open(name: string, attributes: Attributes, line: number): void {
    this.#depth += 1
    this.#line = line
    if (this.#depth === 1) refuseOther(name, attributes, line)
    else if (name === 'sample' && this.#depth === 2) this.#openSample(attributes)
    else if (name === 'typing' && this.#depth === 3) this.#typings += 1
    else if (this.#person === undefined || this.#fault !== undefined) return
    else if (name === 'allele-assignment')
      this.#assignment = {
        line,
        release: releaseName(attributes),
        glStrings: [],
        haploids: [],
        hasGenotypes: false,
      }
    else if (this.#assignment !== undefined) this.#openTyping(name, attributes, this.#assignment)
  }

  text(piece: string, line: number): void {
    this.#line = line
    const open = this.#glString
    if (open === undefined) return
    if (open.text.length + piece.length <= LONGEST_TEXT) open.text += piece
    else this.#fail(open.line, `its GL String is longer than ${LONGEST_TEXT} characters`)
  }

  close(name: string): void {
    this.#depth -= 1
    if (name === 'glstring') this.#closeGlString()
    else if (name === 'allele-assignment') this.#closeAssignment()
    else if (name === 'sample' && this.#depth === 1) this.#closeSample()
  }

  take(): readonly TypingRecord[] {
    const taken = this.#records
    this.#records = []
    return taken
  }

  #openSample(attributes: Attributes): void {
    this.#samples += 1
    this.#typings = 0
    this.#own = []
    this.#fault = undefined
    const id = attributes.get('id')?.trim() ?? ''
    this.#person = tableText(id)
    if (id === '') this.#fail(this.#line, 'the sample has no id')
    else if (!this.#known.add(id)) this.#fail(this.#line, `sample ${shown(id)} is there twice`)
  }

  /** Of a sample that cannot be read nothing is told but that. */
  #closeSample(): void {
    this.#typings = 0
    if (this.#fault !== undefined) this.#own = [faultyRecord(this.#person ?? '', this.#fault)]
    else if (this.#own.length === 0) this.#put({ locus: '', typing: '', slot: undefined, line: this.#line })
    for (const one of this.#own) this.#records.push(one)
    this.#person = undefined
  }

  #openTyping(name: string, attributes: Attributes, assignment: Assignment): void {
    if (name === 'haploid') this.#addHaploid(attributes, assignment)
    else if (name === 'genotype' || name === 'genotype-list') assignment.hasGenotypes = true
    else if (name === 'glstring') {
      const uri = attributes.get('uri')
      if (uri === undefined) this.#glString = { text: '', line: this.#line }
      else this.#fail(this.#line, `its GL String is at ${shown(uri)}, and nothing is fetched`, GL_STRING)
    }
  }

  #addHaploid(attributes: Attributes, { haploids }: Assignment): void {
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
    // typings of a table are without the prefix
    const bare = text.replaceAll(/\s+|HLA-/g, '')
    if (bare !== '') this.#assignment?.glStrings.push({ text: bare, line })
  }

  #closeAssignment(): void {
    if (this.#assignment === undefined) return
    const { glStrings, haploids, hasGenotypes, line, release } = this.#assignment
    this.#assignment = undefined
    if (release !== '') this.#releases.set(release, (this.#releases.get(release) ?? 0) + 1)
    if (glStrings.length === 0 && haploids.length === 0 && hasGenotypes)
      this.#fail(line, 'its typing is given as genotype elements alone, which are not read', GL_STRING)
    for (const one of glStrings)
      for (const typing of glTypings(one.text)) {
        if (typing.locus === NO_LOCUS) this.#fail(one.line, `${shown(typing.typing)} names no locus`)
        else this.#put({ ...typing, typing: this.#inRelease(typing.typing, release), line: one.line })
      }
    // haploids say the same in another form
    if (glStrings.length > 0) return
    for (const one of haploids)
      this.#put({ ...one, typing: this.#inRelease(one.typing, release), slot: undefined })
  }

  /** A GL String Code where a name has changed since, so that it is translated; else as it stands. */
  #inRelease(typing: string, stated: string): string {
    const release = hlaRelease(stated)
    const hasChanged =
      release !== undefined && !typing.startsWith('hla#') && this.#past?.hasChanged(release, typing) === true
    return hasChanged ? formatGlStringCode(release, typing) : typing
  }

  #put(one: Pick<TypingRecord, 'locus' | 'typing' | 'slot' | 'line'>): void {
    const [locus, typing] = [tableText(one.locus), tableText(one.typing)]
    this.#own.push({ ...one, locus, typing, person: this.#person, values: [], path: this.#path() })
  }

  /** The first of a sample is told. */
  #fail(line: number, reason: string, hint?: string): void {
    this.#fault ??= new PersonFault(line, this.#path(), reason, hint)
    this.#glString = undefined
  }

  #path(): string {
    const sample = this.#samples === 0 ? '/hml' : `/hml/sample[${this.#samples}]`
    return this.#typings === 0 ? sample : `${sample}/typing[${this.#typings}]`
  }
}

const GL_STRING = 'give the typing as the text of a glstring element'

/** What a GL String without a locus is put under. */
const NO_LOCUS = 'GL'

/** @throws {HlaError} io — it is of another format, or of another version */
function refuseOther(name: string, attributes: Attributes, line: number): void {
  if (name !== 'hml') throw atPlace(line, `/${name}`, 'this is not HML, whose first element is hml')
  const space = /\/hml\/(\d[\d.]*)$/.exec(attributes.get('xmlns') ?? '')
  const version = attributes.get('version') ?? space?.[1]
  if (version === undefined || VERSIONS.includes(version)) return
  throw atPlace(
    line,
    '/hml',
    `version ${shown(version)} of HML is not read`,
    `versions are ${VERSIONS.join(' ')}`,
  )
}

/** `IMGT/HLA 3.25.0`; '' when it is not said. */
function releaseName(attributes: Attributes): string {
  const said = [attributes.get('allele-db'), attributes.get('allele-version')]
  return said.flatMap((one) => (one === undefined ? [] : [one.trim().slice(0, 40)])).join(' ')
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 80))
}

export const HML: RecordFormat = {
  name: 'hml',
  summary: 'HML 1.0.1 and 1.0.2',
  example: '<glstring>HLA-A*01:01+HLA-A*02:01</glstring>',
  open(file, isAsked) {
    if (!isAsked && recognizeDocument(documentBeginning(file)) !== 'HML') return undefined
    const releases = new Map<string, number>()
    return {
      format: 'HML',
      reading: 'the GL Strings of samples',
      personName: 'sample',
      extras: [],
      ignored: [],
      dialect: documentDialect(file),
      hasPaths: true,
      releases,
      blocks: () => xmlRecords(file, new HmlReader(releases, file.past)),
    }
  },
}
