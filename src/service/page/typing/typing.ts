/** Looks up a typing: everything in one request, except its antigens in a second. */
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
import { methodSummary, methodTitle } from '../../../web/page/methods.ts'
import { type PageQuestion, ask, sentence } from '../service.ts'
import { type MethodAnswer, chosenFirst, copyButton, methodsTable, outcomeText } from './methods.ts'
import { fold } from './fold.ts'
import { allelesIn, blendIn, codesIn, distinct, locusIn, typingsOfLoci } from './names.ts'
import { forgetOtherRelease } from './other-release.ts'
import { type NamedOutcome, antigensTable, blendTable, codesTables, commonTable } from './tables.ts'
import { type Judgement, formatTitle, judge, showJudgement } from './verdict.ts'
import { typingText } from './typing-text.ts'

/** Facts about the service. */
export interface ServiceFacts {
  /** Release in use, such as `3.58.0`. */
  readonly release: string
  readonly methods: readonly string[]
  readonly loci: readonly string[]
}

export interface Typing {
  readonly text: string
  /** Method whose result is shown first and explained. */
  readonly method: string
  readonly accept: readonly string[] | undefined
  /** Level of the antigens of S; undefined for the usual one. */
  readonly antigens: string | undefined
}

/** Number of the latest lookup: answers to earlier ones are dropped. */
let latest = 0

/** `asked` returns the typing; it is called after `known` has resolved. `use` looks up another text. */
export async function lookUp(
  asked: () => Typing,
  known: Promise<ServiceFacts>,
  use: (text: string) => void,
): Promise<void> {
  const turn = (latest += 1)
  const status = byId('typing-status', HTMLElement)
  status.className = ''
  status.textContent = 'Looking up …'
  try {
    const { release, methods } = await known
    if (turn !== latest) return
    const typing = asked()
    const answers = await askAll(typing, methods)
    const splits = await askSplits(answers.methods)
    if (turn !== latest) return
    showJudgement(answers.judgement, release, use)
    show(answers, splits)
    // announced to screen readers; the verdict shows it to others
    status.className = 'heard'
    status.textContent = describeStatus(answers, release)
    bringIntoView()
  } catch (error) {
    if (turn !== latest) return
    part('meaning').hidden = true
    status.className = 'failed'
    status.textContent = error instanceof Error ? error.message : String(error)
  }
}

/** Cancels the current lookup and hides its result. */
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
  readonly codes: readonly NamedOutcome<Codes>[]
  readonly common: readonly NamedOutcome<Common>[]
  readonly blend: PageOutcome<Blended> | undefined
}

async function askAll(typing: Typing, offered: readonly string[]): Promise<Answers> {
  const { text, method } = typing
  const sheet = newSheet()
  const verdict = sheet.add<Verdict>({ op: 'validate', gl_string: text })
  const explanation = sheet.add<Explained>(reductionQuestion('explain', method, typing))
  const methods = addMethods(sheet, typing, offered)
  const loci = typingsOfLoci(text).map((one) => ({
    typing: one,
    methods: addMethods(sheet, { ...typing, text: one }, offered),
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

/** Questions for every method, the selected one first. */
function addMethods(
  sheet: QuestionSheet,
  typing: Typing,
  offered: readonly string[],
): () => readonly MethodAnswer[] {
  const asked = offered.map((method) => ({
    method,
    outcome: sheet.add<Reduced>(reductionQuestion('redux', method, typing)),
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

function show(answers: Answers, splits: readonly PageOutcome<Splits>[]): void {
  const { explanation, methods, loci, codes, common, blend } = answers
  const isReduced = methods.some(({ outcome }) => !isFailed(outcome))
  const [first, ...others] = methods
  part('answer').replaceChildren(...(isReduced && first !== undefined ? answerParts(first) : []))
  part('methods').replaceChildren(
    ...(isReduced
      ? [fold('methods', 'Other methods', methodsTable('Reduced by the other methods', others))]
      : []),
  )
  part('loci').replaceChildren(...(isReduced ? locusCards(loci) : []))
  part('codes').replaceChildren(...codesTables(codes))
  const antigens = [...antigensTable(splits), ...(isReduced ? blendTable(blend) : [])]
  part('antigens').replaceChildren(
    ...(antigens.length === 0 ? [] : [fold('antigens', 'Antigens and DRBX', ...antigens)]),
  )
  part('common').replaceChildren(...(isReduced ? commonTable(common) : []))
  forgetOtherRelease()
  if (isReduced) showExplanation(explanation)
  else part('explanation').replaceChildren()
  part('meaning').hidden = false
}

/** Scrolls to the answer where the form fills the screen, as on a phone; closes a phone's keyboard, which covers it. */
function bringIntoView(): void {
  if (matchMedia('(pointer: coarse)').matches) byId('typing', HTMLElement).blur()
  const { top, bottom } = part('hero').getBoundingClientRect()
  if (top < 0 || bottom > innerHeight) part('hero').scrollIntoView()
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Result of the selected method. */
function answerParts({ method, outcome }: MethodAnswer): HTMLElement[] {
  const title = element(
    'h3',
    {},
    capitalised(methodTitle(method)),
    ' ',
    element('span', { class: 'meaning' }, methodSummary(method)),
  )
  if (isFailed(outcome)) return [title, element('p', {}, sentence(outcome.error.message))]
  const { ard } = outcome
  if (ard === '') return [title, element('p', {}, 'Nothing is left of the typing.')]
  const isLong = ard.length > LONG
  return [
    title,
    element('p', { class: isLong ? 'result long' : 'result', id: 'result' }, typingText(ard)),
    ...[copyButton(ard, method)].filter((one) => one !== undefined),
  ]
}

/** Maximum length of a result shown in large type, in characters. */
const LONG = 160

function describeStatus({ judgement, methods }: Answers, release: string): string {
  const answered = methods.filter(({ outcome }) => !isFailed(outcome)).length
  const [first] = judgement.problems
  const why = first === undefined ? '' : ` ${sentence(first.message)}`
  return `${formatTitle(judgement, release)}.${why} ${answered} of ${methods.length} methods answer.`
}

interface QuestionSheet {
  /** Returns a function for the answer, valid after `ask`. `T` is the output of the operation. */
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
  /** Selected method first. */
  readonly methods: readonly MethodAnswer[]
}

function locusCards(loci: readonly LocusAnswers[]): HTMLElement[] {
  return loci.length === 0
    ? []
    : [fold('loci', 'Locus by locus', element('div', { class: 'cards' }, ...loci.map(locusCard)))]
}

function locusCard({ typing, methods: [first, ...others] }: LocusAnswers): HTMLElement {
  const locus = locusIn(typing)
  const id = `locus-${locus}`
  return element(
    'article',
    { class: 'card', 'aria-labelledby': id },
    element('h3', { id }, locus),
    element('p', { class: 'names hint' }, typingText(typing)),
    ...(first === undefined
      ? []
      : [
          element(
            'p',
            { class: 'names' },
            element('b', {}, `${methodTitle(first.method)} `),
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

function showExplanation(outcome: PageOutcome<Explained>): void {
  const content = isFailed(outcome) ? failure(outcome.error) : steps(outcome)
  part('explanation').replaceChildren(fold('explanation', 'Why this result', ...content))
}

function failure({ message }: ErrorRecord): HTMLElement[] {
  return [element('p', { class: 'hint' }, sentence(message))]
}

type Step = Explained['steps'][number]

function steps({ steps: all, gl_string }: Explained): HTMLElement[] {
  return inGroups(all).flatMap(([leaf, group]) => [
    element('h3', {}, leaf === gl_string && inGroups(all).length > 1 ? 'Combined result' : leaf),
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
  // some texts already include the place
  const place = file === undefined || text.includes(`${file}:${line}`) ? undefined : `${file}:${line}`
  const cite = place === undefined ? undefined : element('cite', {}, ` ${place}`)
  return element('li', {}, element('b', {}, title), element('span', {}, text, cite))
}
