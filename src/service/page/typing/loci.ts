/** A card a locus: its result by the chosen method, the other methods folded. */
import { isFailed } from '../answers.ts'
import { element } from '../../../web/page/elements.ts'
import { copyButton, type MethodAnswer, methodsTable, outcomeText } from './methods.ts'
import { locusIn } from './names.ts'
import { typingText } from './typing-text.ts'

export interface LocusAnswers {
  readonly typing: string
  /** The chosen method first. */
  readonly methods: readonly MethodAnswer[]
}

export function locusCards(loci: readonly LocusAnswers[]): HTMLElement[] {
  return loci.length === 0
    ? []
    : [element('h3', {}, 'Locus by locus'), element('div', { class: 'cards' }, ...loci.map(locusCard))]
}

function locusCard({ typing, methods: [first, ...others] }: LocusAnswers): HTMLElement {
  const locus = locusIn(typing)
  const id = `locus-${locus}`
  return element(
    'article',
    { class: 'card', 'aria-labelledby': id },
    element('h4', { id }, locus),
    element('p', { class: 'names hint' }, typingText(typing)),
    ...(first === undefined
      ? []
      : [
          element(
            'p',
            { class: 'names' },
            element('b', {}, `${first.method} `),
            outcomeText(first.outcome),
            ' ',
            isFailed(first.outcome) ? undefined : copyButton(first.outcome.ard, `${locus} ${first.method}`),
          ),
        ]),
    element(
      'details',
      {},
      element('summary', {}, `Other methods of ${locus}`),
      methodsTable(`${locus} by the other methods`, others),
    ),
  )
}
