/** Plan of a document before conversion; its typings are read like cells of a table. */
import { findToken, makeTokens } from '../cells/tokens.ts'
import type { SettlingFacts } from '../cells/name-facts.ts'
import type { PastNames } from '../cells/past-names.ts'
import type { Dialect } from '../input/dialect.ts'
import type { MadeFacts } from '../input/input.ts'
import { type PlannedGroup, type TablePlan, tryRead, findWords } from '../plan/plan.ts'
import type { UnreadColumns } from '../plan/recognition/unread-text.ts'
import type { ReadRequest } from '../plan/table-request.ts'
import type { OpenedDocument, TypingSite } from './document.ts'

/** Maximum number of typings shown per locus. */
const MAX_VALUES = 1000

export interface DocumentPlan {
  /** Loci unknown to the release are added as they are met. */
  readonly plan: TablePlan
  readonly dialect: Dialect
  readonly groupFor: (site: TypingSite) => PlannedGroup
  /** false when the release has none of its loci, so that it stays unchanged. */
  readonly isRead: (site: TypingSite) => boolean
}

interface Planned {
  readonly name: string
  readonly dialect: Dialect
  readonly document: OpenedDocument
  /** Sites in the beginning of the document. */
  readonly sites: readonly TypingSite[]
  readonly reading: ReadRequest
  readonly facts: SettlingFacts
  readonly past: PastNames | undefined
}

export function planDocument(planned: Planned): DocumentPlan {
  const { name, dialect, document, sites, reading, facts, past } = planned
  const labels = [document.personName]
  const groups: PlannedGroup[] = []
  const unread: UnreadColumns[] = []
  const known = new Set(facts.loci)
  const newGroup = groupMaker(reading, facts)
  const isRead = (site: TypingSite) => site.loci.length === 0 || site.loci.some((locus) => known.has(locus))
  const groupFor = (site: TypingSite) => {
    const found = groups.find(({ locus }) => locus === site.locus)
    if (found !== undefined) return found
    labels.push(site.locus ?? site.column)
    const values = sites.filter((one) => one.locus === site.locus && isRead(one)).map(({ cell }) => cell)
    const made = newGroup(site.locus, labels.length - 1, values)
    groups.push(made)
    return made
  }
  const noteUnread = (site: TypingSite) => {
    const locus = site.loci.join(' ')
    if (labels.includes(locus)) return
    labels.push(locus)
    unread.push({ columns: [labels.length - 1], code: 'unknown-locus', why: `${locus} is not a locus of this release`, option: 'it stays as it is' }) // prettier-ignore
  }
  for (const site of sites) {
    if (isRead(site)) groupFor(site)
    else noteUnread(site)
  }
  const made: MadeFacts = { format: document.format, reading: document.reading, files: 1, kept: [], left: [], ignored: [], releases: document.releases, past } // prettier-ignore
  const header = { table: name, width: labels.length, names: labels, labels }
  return {
    plan: {
      header,
      headerRow: undefined,
      headerLines: [],
      groups,
      aside: [],
      rowNotes: [],
      unread,
      idColumn: 0,
      made,
    },
    dialect,
    groupFor,
    isRead(site) {
      if (isRead(site)) return true
      noteUnread(site)
      return false
    },
  }
}

function groupMaker({ tokens: asked, digits, accept }: ReadRequest, facts: SettlingFacts) {
  const tokens = makeTokens(asked)
  const reading = digits === 'auto' ? 'error' : digits
  return (locus: string | undefined, column: number, all: readonly string[]): PlannedGroup => {
    const distinct = [...new Set(all)].slice(0, MAX_VALUES)
    const told = distinct.map((value) => [value, findToken(value, locus, tokens)] as const)
    const values = told.flatMap(([value, token]) => (token === undefined ? [value] : []))
    const tokensSeen = told.flatMap(([value, token]) => (token === undefined ? [] : [[value, token] as const])) // prettier-ignore
    return {
      subject: '',
      locus,
      columns: [column],
      context: { locus, digits: reading, tokens, accept, facts },
      contextKey: `${locus ?? ''} ${reading}`,
      hasDigits: false,
      values,
      tokensSeen,
      words: findWords([values]),
    }
  }
}

/** Reads the beginning, so that missing facts are requested together. */
export function readBeginning({ groups }: TablePlan): void {
  for (const { values, context } of groups) for (const value of values) tryRead(value, context)
}
