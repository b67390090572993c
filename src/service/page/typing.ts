/** A typing is looked up: everything about it in one request, its antigens in a second. */
import type { Codes, Explained, PageOutcome, Reduced, Splits, Verdict } from './answers.ts'
import { isFailed } from './answers.ts'
import { byId, element, part, table } from '../../web/page/elements.ts'
import { showExplanation } from './explanation.ts'
import { METHODS, type MethodAnswer, methodsTable } from './methods.ts'
import { ask, type PageQuestion } from './service.ts'
import { typingText } from './typing-text.ts'
import { type Judgement, judge, showJudgement, formatTitle } from './verdict.ts'

export interface Typing {
  readonly text: string
  readonly accept: readonly string[] | undefined
  /** The level of the antigens of S; undefined: the usual one. */
  readonly antigens: string | undefined
}

/** Only the last question is shown, whichever is answered first. */
let latest = 0
let explained = 'lgx'

/** `use` looks up another text. `release`: `3.58.0`. */
export async function lookUp(typing: Typing, release: string, use: (text: string) => void): Promise<void> {
  const turn = (latest += 1)
  const status = byId('typing-status', HTMLElement)
  status.className = ''
  status.textContent = 'Looking up …'
  try {
    const answers = await askAll(typing)
    const splits = await ask(listAntigens(answers.methods).map((allele) => ({ op: 'splits', allele })))
    if (turn !== latest) return
    show(answers, typing, splits as PageOutcome<Splits>[])
    showJudgement(answers.judgement, release, use)
    // the verdict says it to those who see it
    status.className = 'heard'
    status.textContent = describeStatus(answers, release)
  } catch (error) {
    if (turn !== latest) return
    part('meaning').hidden = true
    status.className = 'failed'
    status.textContent = error instanceof Error ? error.message : String(error)
  }
}

interface Answers {
  readonly judgement: Judgement
  readonly explanation: PageOutcome<Explained>
  readonly methods: readonly MethodAnswer[]
  readonly codes: readonly { readonly name: string; readonly outcome: PageOutcome<Codes> }[]
}

async function askAll(typing: Typing): Promise<Answers> {
  const { text } = typing
  const names = codesIn(text)
  const [verdict, explanation, ...rest] = await ask([
    { op: 'validate', gl_string: text },
    reductionQuestion('explain', explained, typing),
    ...METHODS.map(({ name }) => reductionQuestion('redux', name, typing)),
    ...names.map(codeQuestion),
  ])
  const outcomes = METHODS.map(({ name }, at) => ({
    method: name,
    outcome: rest[at] as PageOutcome<Reduced>,
  }))
  return {
    judgement: judge(verdict as PageOutcome<Verdict>, text),
    explanation: explanation as PageOutcome<Explained>,
    methods: outcomes,
    codes: names.map((name, at) => ({ name, outcome: rest[METHODS.length + at] as PageOutcome<Codes> })),
  }
}

function reductionQuestion(op: string, method: string, { text, accept, antigens }: Typing): PageQuestion {
  return {
    op,
    gl_string: text,
    reduction_method: method,
    ...(accept === undefined ? {} : { accept }),
    ...(method === 'S' && antigens !== undefined ? { options: { antigens } } : {}),
  }
}

const MOST_CODES = 12

/** Codes of the typing, and the typing itself when a code may stand for it. */
function codesIn(text: string): string[] {
  const names = text.split(/[\^|+~/?]/).filter((name) => /^(?:HLA-)?\w+\*\d+:[A-Z]{2,}$/.test(name))
  const isList = !/[\^|+~?]/.test(text) && text.includes('/') && names.length === 0
  return [...new Set(isList ? [text] : names)].slice(0, MOST_CODES)
}

function codeQuestion(name: string): PageQuestion {
  return name.includes('/')
    ? { op: 'mac', gl_string: name, direction: 'lookup' }
    : { op: 'mac', gl_string: name, direction: 'expand', xx: true }
}

function listAntigens(methods: readonly MethodAnswer[]): string[] {
  const outcome = methods.find(({ method }) => method === 'S')?.outcome
  if (outcome === undefined || isFailed(outcome)) return []
  return [...new Set(outcome.ard.split(/[\^|+~/?]/))].slice(0, MOST_CODES)
}

function show(
  { explanation, methods, codes }: Answers,
  typing: Typing,
  splits: readonly PageOutcome<Splits>[],
): void {
  const isReduced = methods.some(({ outcome }) => !isFailed(outcome))
  part('methods').replaceChildren(...(isReduced ? [methodsTable(methods)] : []))
  part('codes').replaceChildren(...codesTable(codes))
  part('antigens').replaceChildren(...antigensTable(splits))
  if (isReduced) showExplanation(explanation, explained, (method) => void explain(typing, method))
  else part('explanation').replaceChildren()
  part('meaning').hidden = false
}

async function explain(typing: Typing, method: string): Promise<void> {
  explained = method
  const turn = latest
  const [outcome] = await ask([reductionQuestion('explain', method, typing)])
  if (turn !== latest || explained !== method) return
  showExplanation(outcome as PageOutcome<Explained>, method, (next) => void explain(typing, next))
  part('explained').focus()
}

function codesTable(codes: Answers['codes']): HTMLElement[] {
  if (codes.length === 0) return []
  const rows = codes.map(({ name, outcome }) => [
    typingText(name),
    isFailed(outcome)
      ? element('span', { class: 'hint' }, outcome.error.message)
      : outcome.direction === 'lookup'
        ? outcome.mac
        : typingText(outcome.alleles.join(' ')),
  ])
  const isList = codes.some(({ name }) => name.includes('/'))
  const [one, other] = isList ? ['List', 'Code'] : ['Code', 'Alleles']
  return [
    table(
      isList ? 'The code of the list' : 'What the codes stand for',
      [{ title: one }, { title: other, style: 'name' }],
      rows,
    ),
  ]
}

function antigensTable(splits: readonly PageOutcome<Splits>[]): HTMLElement[] {
  // an antigen without a broad one and without splits is an antigen all the same
  const rows = splits.flatMap((outcome) =>
    isFailed(outcome) ? [] : [[outcome.allele, outcome.broad, outcome.splits.join(' ')]],
  )
  if (rows.length === 0) return []
  const columns = [
    { title: 'Antigen' },
    { title: 'Broad', style: 'name' },
    { title: 'Splits', style: 'name' },
  ]
  return [table('Broad and split antigens', columns, rows)]
}

function describeStatus({ judgement, methods }: Answers, release: string): string {
  const answered = methods.filter(({ outcome }) => !isFailed(outcome)).length
  const [first] = judgement.problems
  const why = first === undefined ? '' : ` ${first.message}.`
  return `${formatTitle(judgement, release)}.${why} ${answered} of ${methods.length} methods answer.`
}
