/** Text of an explanation: each name with its numbered steps. */
import { CONTRACT_METHODS, type Method } from '../../engine/reduce/methods.ts'
import { formatCount } from '../../format-count.ts'

export interface StepRecord {
  readonly leaf: string
  readonly step: number
  readonly title: string
  readonly text: string
  readonly file?: string | undefined
  readonly line?: number | undefined
}

export interface ExplanationRecord {
  readonly gl_string: string
  readonly reduction_method: string
  readonly ard: string
  /** Label of the release: `3.58.0`. */
  readonly release: string
  readonly dataset?: 'starter' | undefined
  readonly steps: readonly StepRecord[]
  readonly other: Readonly<Record<string, string | undefined>>
}

/** Returns several lines, without the last line feed. */
export function explanationText(record: ExplanationRecord): string {
  const { gl_string: given, ard, reduction_method: method, steps } = record
  const data =
    record.dataset === 'starter'
      ? `built-in starter set of ${record.release}`
      : `IPD-IMGT/HLA ${record.release}`
  const groups = groupSteps(steps)
  const lines =
    groups.length === 1
      ? stepLines(steps, '  ')
      : groups.flatMap((group) => [`  ${groupTitle(group)}`, ...stepLines(group, '    ')])
  return [`${given} -> ${shortened(ard)}   (${method}, ${data})`, ...lines, ...otherLine(record)].join('\n')
}

/** Shortens long results; the JSON and the answer of redux have all names. */
function shortened(ard: string): string {
  if (ard.length <= WIDEST_ANSWER) return ard
  const shown = /^.*[\^?|+~/]/s.exec(ard.slice(0, WIDEST_ANSWER + 1))?.[0] ?? ''
  const names = ard.split(/[\^?|+~/]/).length
  return `${shown}… (${formatCount(names)} names)`
}

const WIDEST_ANSWER = 240

/** Groups consecutive steps of one leaf; each leaf is numbered from 1. */
function groupSteps(steps: readonly StepRecord[]): StepRecord[][] {
  const groups: StepRecord[][] = []
  for (const step of steps) {
    if (step.step === 1) groups.push([])
    groups.at(-1)?.push(step)
  }
  return groups
}

function groupTitle([first]: readonly StepRecord[]): string {
  const leaf = first?.leaf ?? ''
  if (!/[\^?|+~/]/.test(leaf)) return leaf
  return first?.title === 'lift' ? 'names of another release' : 'put together'
}

const WIDEST_TITLE = 8

function stepLines(steps: readonly StepRecord[], indent: string): string[] {
  const digits = String(steps.length).length
  return steps.map(
    ({ step, title, text }) =>
      `${indent}${String(step).padStart(digits)} ${title.padEnd(WIDEST_TITLE)} ${text}`,
  )
}

/** Methods shown; three fields and U2 add nothing, and are in the JSON. */
const SHOWN: readonly Method[] = [
  ...CONTRACT_METHODS.filter((method) => method !== 'exon' && method !== 'U2'),
  'hats',
]
const WIDEST_LEVEL = 48

function otherLine({ other }: ExplanationRecord): string[] {
  const levels = SHOWN.flatMap((method) => {
    const text = other[method]
    if (text === undefined) return []
    return [
      `${method} ${text.length <= WIDEST_LEVEL ? text : `(${formatCount(text.split('/').length)} names)`}`,
    ]
  })
  return levels.length === 0 ? [] : [`  other levels: ${levels.join('  ')}`]
}
