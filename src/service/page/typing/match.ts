/** The typing beside that of another person: a row for each locus, with mismatches in both directions. */
import { isFailed, type Matched, type PageOutcome } from '../answers.ts'
import { byId, element, part, table } from '../../../web/page/elements.ts'
import { ask, PageFailure, sentence } from '../service.ts'

export interface ComparedPersons {
  readonly patient: string
  readonly donor: string
  readonly accept: readonly string[] | undefined
}

/** `compare` is called when the reader asks for a comparison. */
export function prepareMatch(compare: () => void): void {
  byId('match-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault()
    compare()
  })
}

export function otherTyping(): string {
  return byId('other-typing', HTMLInputElement).value.trim()
}

export function setOtherTyping(text: string): void {
  byId('other-typing', HTMLInputElement).value = text
}

/** Number of the latest comparison: answers to earlier ones are dropped. */
let latest = 0

/** Clears the answer when there is no other typing. */
export async function showMatch({ patient, donor, accept }: ComparedPersons): Promise<void> {
  const turn = (latest += 1)
  const box = part('match-answer')
  if (donor === '') return box.replaceChildren()
  box.replaceChildren('Comparing …')
  const shown = await matchAnswer({ patient, donor, accept })
  if (turn === latest) box.replaceChildren(...shown)
}

async function matchAnswer({ patient, donor, accept }: ComparedPersons): Promise<readonly HTMLElement[]> {
  try {
    const [outcome] = (await ask([{ op: 'match', patient, donor, accept }])) as PageOutcome<Matched>[]
    if (outcome === undefined) return []
    if (isFailed(outcome)) throw new PageFailure(outcome.error)
    return [matchTable(outcome), ...remarks(outcome)]
  } catch (error) {
    return [element('p', { class: 'problem' }, error instanceof Error ? error.message : String(error))]
  }
}

function matchTable({ loci, total, count }: Matched): HTMLElement {
  const { matched, of, untyped } = total
  const without = untyped.length === 0 ? '' : `, not typed: ${untyped.join(', ')}`
  const columns = ['Locus', 'Verdict', 'GvH', 'HvG']
  const rows = loci.map(({ locus, verdict, gvh, hvg, grade, graded_by, tce }) => [
    locus,
    [
      verdict,
      graded_by === undefined ? grade : `${grade} by first field`,
      tce === undefined ? undefined : `TCE ${tce.verdict ?? tce.possible?.join('/') ?? ''}`,
    ]
      .filter((text) => text !== undefined)
      .join(', '),
    rangeText(gvh),
    rangeText(hvg),
  ])
  return table(`${rangeText(matched)} of ${of} alleles match (${count}${without})`, columns, rows)
}

function rangeText([least, most]: readonly number[] = []): string {
  if (least === undefined) return ''
  return least === most ? String(least) : `${least}–${most ?? ''}`
}

/** Typings that cannot be read, and notes. */
function remarks({ problems = [], notes }: Matched): readonly HTMLElement[] {
  return [
    ...problems.map(({ message }) => element('p', { class: 'problem' }, sentence(message))),
    ...notes.map(({ message }) => element('p', { class: 'hint' }, sentence(message))),
  ]
}
