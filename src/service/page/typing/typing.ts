/** A typing is looked up: everything about it in one request, its antigens in a second. */
import type { Blended, Codes, Common, Explained, PageOutcome, Reduced, Splits, Verdict } from '../answers.ts'
import { isFailed } from '../answers.ts'
import { byId, part } from '../../../web/page/elements.ts'
import type { PageQuestion } from '../service.ts'
import { showExplanation } from './explanation.ts'
import { locusCards, type LocusAnswers } from './loci.ts'
import { chosenFirst, METHODS, type MethodAnswer, methodsTable } from './methods.ts'
import { allelesIn, blendIn, codesIn, distinct, typingsOfLoci } from './names.ts'
import { forgetOtherRelease } from './other-release.ts'
import { newSheet, type QuestionSheet } from './question-sheet.ts'
import { antigensTable, blendTable, codesTables, commonTable, type Named } from './tables.ts'
import { type Judgement, judge, showJudgement, formatTitle } from './verdict.ts'

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
