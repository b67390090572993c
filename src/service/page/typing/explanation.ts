/** Why a typing reduces as it does: the steps for each of its names, folded until somebody asks. */
import type { ErrorRecord, Explained, PageOutcome } from '../answers.ts'
import { isFailed } from '../answers.ts'
import { element, part } from '../../../web/page/elements.ts'

/** Who reads one typing after the other unfolds it once. */
let isOpen = false

export function showExplanation(outcome: PageOutcome<Explained>, method: string): void {
  const box = element(
    'details',
    { open: isOpen },
    element('summary', {}, `Why ${method} gives this`),
    ...(isFailed(outcome) ? failure(outcome.error) : steps(outcome)),
  )
  box.addEventListener('toggle', () => (isOpen = box.open))
  part('explanation').replaceChildren(box)
}

function failure({ message }: ErrorRecord): HTMLElement[] {
  return [element('p', { class: 'hint' }, message)]
}

type Step = Explained['steps'][number]

function steps({ steps: all, gl_string }: Explained): HTMLElement[] {
  return inGroups(all).flatMap(([leaf, group]) => [
    element('h4', {}, leaf === gl_string && inGroups(all).length > 1 ? 'Put together' : leaf),
    element('ol', { class: 'steps' }, ...group.map(stepItem)),
  ])
}

function inGroups(all: readonly Step[]): [leaf: string, steps: Step[]][] {
  const groups: [string, Step[]][] = []
  for (const step of all) {
    const last = groups.at(-1)
    if (last?.[0] === step.leaf) last[1].push(step)
    else groups.push([step.leaf, [step]])
  }
  return groups
}

function stepItem({ title, text, file, line }: Step): HTMLElement {
  // the text names its place where it has one
  const place = file === undefined || text.includes(`${file}:${line}`) ? undefined : `${file}:${line}`
  const cite = place === undefined ? undefined : element('cite', {}, ` ${place}`)
  return element('li', {}, element('b', {}, title), element('span', {}, text, cite))
}
