/** Verdict on a typing, with the errors marked in the text. */
import type { ErrorRecord, PageOutcome, PageProblem, Verdict } from '../answers.ts'
import { isFailed } from '../answers.ts'
import { button, element, part } from '../../../web/page/elements.ts'
import { sentence } from '../service.ts'

export interface Judgement {
  /** `refused`: the data in use are too limited to decide. */
  readonly kind: 'valid' | 'unlisted' | 'invalid' | 'malformed' | 'refused'
  /** Status of the name, where more specific than the kind. */
  readonly word?: string | undefined
  readonly text: string
  readonly problems: readonly PageProblem[]
  readonly notes: readonly string[]
}

export function judge(outcome: PageOutcome<Verdict>, text: string): Judgement {
  if (isFailed(outcome))
    return { kind: 'refused', text, problems: [showProblem(outcome.error, text)], notes: [] }
  const { valid, malformed, unlisted = false, verdict, problems = [], notes = [] } = outcome
  const kind = valid ? (unlisted ? 'unlisted' : 'valid') : malformed ? 'malformed' : 'invalid'
  const word = verdict === kind ? undefined : verdict
  return { kind, word, text, problems, notes: notes.map(({ message }) => message) }
}

function showProblem(
  { code, message, offending = '', position, hint, suggestions }: ErrorRecord,
  text: string,
): PageProblem {
  return { code, message, offending, position: position ?? [0, text.length], hint, suggestions }
}

/** `use` looks up a suggested text. */
export function showJudgement(judgement: Judgement, release: string, use: (text: string) => void): void {
  const { kind, text, problems, notes } = judgement
  const box = part('verdict')
  box.className = `verdict ${kind}`
  box.replaceChildren(
    element('p', { class: 'title' }, formatTitle(judgement, release)),
    element('p', { class: 'echo', id: 'echo' }, ...marked(text, problems)),
    element('ul', { hidden: problems.length === 0 }, ...problems.map((one) => problemItem(one, text, use))),
    ...notes.map((note) => element('p', { class: 'hint' }, `Note: ${sentence(note)}`)),
  )
}

export function formatTitle({ kind, word, problems }: Judgement, release: string): string {
  const said = word === undefined ? '' : `: ${word}`
  const count = problems.length > 1 ? `${said === '' ? ':' : ','} ${problems.length} problems` : ''
  switch (kind) {
    case 'valid':
      return `Valid in ${release}${said}`
    case 'unlisted':
      return `Valid, but not listed in ${release}${said}`
    case 'invalid':
      return `Not valid in ${release}${said}${count}`
    case 'malformed':
      return `Not a GL String${count}`
    case 'refused':
      return 'Cannot be answered here'
  }
}

/** The text with its offending ranges marked; overlapping ranges are merged. */
function marked(text: string, problems: readonly PageProblem[]): Node[] {
  const pieces: Node[] = []
  let end = 0
  for (const [from, to] of problems.map(problemRange).sort(([a], [b]) => a - b)) {
    const start = Math.max(from, end)
    if (to <= start) continue
    pieces.push(new Text(text.slice(end, start)), element('mark', {}, text.slice(start, to)))
    end = to
  }
  return [...pieces, new Text(text.slice(end))]
}

/** Half-open range in UTF-16 code units, as in strings of the page. */
function problemRange({ position: [from = 0, to = 0] }: PageProblem): [from: number, to: number] {
  return [from, to]
}

function problemItem(problem: PageProblem, text: string, use: (text: string) => void): HTMLElement {
  const { message, hint, suggestions } = problem
  const [from, to] = problemRange(problem)
  const place = to - from <= 1 ? `character ${from + 1}` : `characters ${from + 1} to ${to}`
  return element(
    'li',
    {},
    `${sentence(message).replace(/\.$/, '')} (${place}).`,
    ...(hint ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => element('div', { class: 'hint' }, sentence(line))),
    ...suggestions.map((suggestion) =>
      button(`Use ${suggestion}`, () => use(text.slice(0, from) + suggestion + text.slice(to)), {
        class: 'small',
      }),
    ),
  )
}
