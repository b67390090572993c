/** A typing is looked up: everything about it in one request, its antigens in a second. */
import {
  type Blended,
  type Codes,
  type Common,
  type ErrorRecord,
  type Explained,
  type PageOutcome,
  type Reduced,
  type Splits,
  type Verdict,
  isFailed,
} from '../answers.ts'
import { byId, element, part } from '../../../web/page/elements.ts'
import { type PageQuestion, ask } from '../service.ts'
import { METHODS, type MethodAnswer, chosenFirst, copyButton, methodsTable, outcomeText } from './methods.ts'
import { allelesIn, blendIn, codesIn, distinct, locusIn, typingsOfLoci } from './names.ts'
import { forgetOtherRelease } from './other-release.ts'
import { type Named, antigensTable, blendTable, codesTables, commonTable } from './tables.ts'
import { type Judgement, formatTitle, judge, showJudgement } from './verdict.ts'
import { typingText } from './typing-text.ts'

export interface Typing {
  readonly text: string
  /** The one that is shown first, and explained. */
  readonly method: string
  readonly accept: readonly string[] | undefined
  /** The level of the antigens of S; undefined: the usual one. */
  readonly antigens: string | undefined
}

/** Only the last question is shown, whichever is answered first. */
let latest = 0

/** `use` looks up another text. `known`: the release, `3.58.0`, as soon as the service has said it. */
export async function lookUp(
  typing: Typing,
  known: Promise<string>,
  use: (text: string) => void,
): Promise<void> {
  const turn = (latest += 1)
  const status = byId('typing-status', HTMLElement)
  status.className = ''
  status.textContent = 'Looking up …'
  try {
    const answers = await askAll(typing)
    const [splits, release] = await Promise.all([askSplits(answers.methods), known])
    if (turn !== latest) return
    show(answers, typing, splits)
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

/** Nothing is looked up any more. */
export function forgetTyping(): void {
  latest += 1
  part('meaning').hidden = true
  part('typing-status').textContent = ''
}

interface Answers {
  readonly judgement: Judgement
  readonly explanation: PageOutcome<Explained>
  readonly methods: readonly MethodAnswer[]
  readonly loci: readonly LocusAnswers[]
  readonly codes: readonly Named<Codes>[]
  readonly common: readonly Named<Common>[]
  readonly blend: PageOutcome<Blended> | undefined
}

async function askAll(typing: Typing): Promise<Answers> {
  const { text, method } = typing
  const sheet = newSheet()
  const verdict = sheet.add<Verdict>({ op: 'validate', gl_string: text })
  const explanation = sheet.add<Explained>(reductionQuestion('explain', method, typing))
  const methods = addMethods(sheet, typing)
  const loci = typingsOfLoci(text).map((one) => ({
    typing: one,
    methods: addMethods(sheet, { ...typing, text: one }),
  }))
  const codes = codesIn(text).map((name) => ({ name, outcome: sheet.add<Codes>(codeQuestion(name)) }))
  const common = allelesIn(text).map((name) => ({
    name,
    outcome: sheet.add<Common>({ op: 'cwd', gl_string: name, ...accepting(typing) }),
  }))
  const blended = blendIn(text)
  const blend = blended === undefined ? undefined : sheet.add<Blended>({ op: 'blend', ...blended })
  await sheet.ask()
  return {
    judgement: judge(verdict(), text),
    explanation: explanation(),
    methods: methods(),
    loci: loci.map((one) => ({ typing: one.typing, methods: one.methods() })),
    codes: codes.map(({ name, outcome }) => ({ name, outcome: outcome() })),
    common: common.map(({ name, outcome }) => ({ name, outcome: outcome() })),
    blend: blend?.(),
  }
}

/** Every method, the chosen one first. */
function addMethods(sheet: QuestionSheet, typing: Typing): () => readonly MethodAnswer[] {
  const asked = METHODS.map(({ name }) => ({
    method: name,
    outcome: sheet.add<Reduced>(reductionQuestion('redux', name, typing)),
  }))
  return () =>
    chosenFirst(
      asked.map(({ method, outcome }) => ({ method, outcome: outcome() })),
      typing.method,
    )
}

function reductionQuestion(op: string, method: string, typing: Typing): PageQuestion {
  const { text, antigens } = typing
  return {
    op,
    gl_string: text,
    reduction_method: method,
    ...accepting(typing),
    ...(method === 'S' && antigens !== undefined ? { options: { antigens } } : {}),
  }
}

function accepting({ accept }: Typing) {
  return accept === undefined ? {} : { accept }
}

function codeQuestion(name: string): PageQuestion {
  return name.includes('/')
    ? { op: 'mac', gl_string: name, direction: 'lookup' }
    : { op: 'mac', gl_string: name, direction: 'expand', xx: true }
}

async function askSplits(methods: readonly MethodAnswer[]): Promise<PageOutcome<Splits>[]> {
  const outcome = methods.find(({ method }) => method === 'S')?.outcome
  const antigens = outcome === undefined || isFailed(outcome) ? [] : distinct(outcome.ard.split(/[\^|+~/?]/))
  const sheet = newSheet()
  const answers = antigens.map((allele) => sheet.add<Splits>({ op: 'splits', allele }))
  await sheet.ask()
  return answers.map((answer) => answer())
}

function show(answers: Answers, { method }: Typing, splits: readonly PageOutcome<Splits>[]): void {
  const { explanation, methods, loci, codes, common, blend } = answers
  const isReduced = methods.some(({ outcome }) => !isFailed(outcome))
  part('methods').replaceChildren(...(isReduced ? [methodsTable('Reduced by each method', methods)] : []))
  part('loci').replaceChildren(...(isReduced ? locusCards(loci) : []))
  part('codes').replaceChildren(...codesTables(codes))
  part('antigens').replaceChildren(...antigensTable(splits), ...(isReduced ? blendTable(blend) : []))
  part('common').replaceChildren(...(isReduced ? commonTable(common) : []))
  forgetOtherRelease()
  if (isReduced) showExplanation(explanation, method)
  else part('explanation').replaceChildren()
  part('meaning').hidden = false
}

function describeStatus({ judgement, methods }: Answers, release: string): string {
  const answered = methods.filter(({ outcome }) => !isFailed(outcome)).length
  const [first] = judgement.problems
  const why = first === undefined ? '' : ` ${first.message}.`
  return `${formatTitle(judgement, release)}.${why} ${answered} of ${methods.length} methods answer.`
}

interface QuestionSheet {
  /** Gives the answer when the sheet was asked. `T`: what the operation answers. */
  readonly add: <T>(question: PageQuestion) => () => PageOutcome<T>
  readonly ask: () => Promise<void>
}

function newSheet(): QuestionSheet {
  const questions: PageQuestion[] = []
  let answers: readonly unknown[] = []
  return {
    add: <T>(question: PageQuestion) => {
      const at = questions.push(question) - 1
      return () => answers[at] as PageOutcome<T> // in the order of the questions
    },
    async ask() {
      answers = questions.length === 0 ? [] : await ask(questions)
    },
  }
}

interface LocusAnswers {
  readonly typing: string
  /** The chosen method first. */
  readonly methods: readonly MethodAnswer[]
}

function locusCards(loci: readonly LocusAnswers[]): HTMLElement[] {
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

/** Who reads one typing after the other unfolds it once. */
let isOpen = false

function showExplanation(outcome: PageOutcome<Explained>, method: string): void {
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
