/** Typing in another release: its names there, and the changes in its result. */
import { type Changed, type ErrorRecord, isFailed, type Lifted, type PageOutcome } from '../answers.ts'
import { byId, element, part, table } from '../../../web/page/elements.ts'
import { ask, PageFailure } from '../service.ts'
import { typingText } from './typing-text.ts'

export interface CurrentTyping {
  readonly text: string
  readonly method: string
  /** Release in use. */
  readonly release: Promise<string>
}

/** `asked` returns the typing shown now. */
export function prepareOtherRelease(asked: () => CurrentTyping | undefined): void {
  const form = byId('release-form', HTMLFormElement)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const typing = asked()
    const kind = event.submitter?.id === 'compare-releases' ? 'diff' : 'lift'
    if (typing !== undefined) void answer(kind, typing, byId('other-release', HTMLSelectElement).value)
  })
}

/** Offers the installed releases except the one in use; without any there is nothing to compare. */
export function offerReleases(names: readonly string[]): void {
  byId('other-release', HTMLSelectElement).replaceChildren(
    ...names.map((name) => element('option', { value: name }, name)),
  )
  part('releases').hidden = names.length === 0
}

/** Clears the answer about an earlier typing. */
export function forgetOtherRelease(): void {
  part('release-answer').replaceChildren()
}

async function answer(
  kind: 'lift' | 'diff',
  { text, method, release }: CurrentTyping,
  other: string,
): Promise<void> {
  const box = part('release-answer')
  box.replaceChildren('Looking up …')
  try {
    if (kind === 'lift') {
      const [outcome] = (await ask([{ op: 'lift', gl_string: text, from: other }])) as PageOutcome<Lifted>[]
      box.replaceChildren(outcome === undefined ? '' : liftTable(outcome))
      return
    }
    const question = {
      op: 'diff',
      gl_string: text,
      from_release: other,
      to_release: await release,
      reduction_method: method,
    }
    const [outcome] = (await ask([question])) as PageOutcome<Changed>[]
    box.replaceChildren(outcome === undefined ? '' : diffTable(outcome))
  } catch (error) {
    box.replaceChildren(
      element('p', { class: 'problem' }, error instanceof Error ? error.message : String(error)),
    )
  }
}

function liftTable(outcome: PageOutcome<Lifted>): HTMLElement {
  if (isFailed(outcome)) return failure(outcome.error)
  const { gl_string: text, from, to, result, lift_status: status, notes = [] } = outcome
  const columns = [
    { title: `In ${from}`, style: 'name' },
    { title: `In ${to}`, style: 'name' },
    { title: 'Outcome' },
  ]
  const said = [status, ...notes.map(({ message }) => message)].join('; ')
  return table('Names', columns, [
    [typingText(text), result === '' ? 'no single name' : typingText(result), said],
  ])
}

function diffTable(outcome: PageOutcome<Changed>): HTMLElement {
  if (isFailed(outcome)) return failure(outcome.error)
  const { from_release: from, to_release: to, changed, reasons, gained, lost } = outcome
  const rows = [
    [from, outcome.from_error ?? typingText(outcome.from_ard)],
    [to, outcome.to_error ?? typingText(outcome.to_ard)],
    ['changed', changed ? reasons.join(', ') || 'yes' : 'no'],
    ...(gained.length === 0 ? [] : [['gained', typingText(gained.join('/'))]]),
    ...(lost.length === 0 ? [] : [['lost', typingText(lost.join('/'))]]),
  ]
  return table(
    `${outcome.reduction_method} in both releases`,
    [{ title: 'Release' }, { title: 'Result', style: 'name' }],
    rows,
  )
}

function failure(error: ErrorRecord): HTMLElement {
  return element('p', { class: 'hint' }, new PageFailure(error).message)
}
