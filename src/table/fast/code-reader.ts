/** Codes, which are the most different typings of a registry: answered without asking the whole question about each. */
import { joinParts, type SortPart } from '../../nomenclature/order.ts'
import type { KnownCodes } from '../../operations/executor.ts'
import type { AnswerRequest } from '../cells/answers.ts'
import type { PlannedGroup } from '../plan/plan.ts'
import { withoutLoci } from '../output/row-writer.ts'
import { TOKEN_STATUSES } from '../cells/tokens.ts'
import type { ColumnKinds } from './column-kinds.ts'
import { BY_TEXT, type TypingEntry, type EntryResult, PLAIN } from './memory/typing-record.ts'

export interface CodeRequest {
  readonly columns: ColumnKinds
  readonly request: AnswerRequest
  readonly locusPrefix: 'full' | 'bare'
}

/** What `A*01:AB` becomes; undefined for what is no such code, or is to be asked about. */
export type CodeReader = (text: string, column: number) => TypingEntry | undefined

/** undefined where no code is to be read so. */
export function codeReader({ columns, request, locusPrefix }: CodeRequest): CodeReader | undefined {
  const { executor, operation, inputs } = request
  const methods = inputs.map((input) => executor.codes?.(operation.name, input))
  const known = methods.filter((one) => one !== undefined)
  if (known.length < methods.length || columns.groups.some(hasTokensLikeCodes)) return undefined
  return (text, column) => {
    const [, family = '', locus, code = ''] = CODE.exec(text) ?? []
    const group = columns.groups[column]
    if (locus === undefined || code === 'XX' || group === undefined) return undefined
    if (locus !== (group.locus ?? locus) || group.context.tokens.new.has(code)) return undefined
    return readEntry(known, { family, code }, locusPrefix)
  }
}

const CODE = /^(([A-Z][A-Z0-9]*)\*\d+):([A-Z]+)$/

/** Tokens stand before typings: `01:AB` may be one. */
function hasTokensLikeCodes(group: PlannedGroup | undefined): boolean {
  return TOKEN_STATUSES.some((status) =>
    [...(group?.context.tokens[status] ?? [])].some((one) => /:[A-Z]/.test(one)),
  )
}

interface Code {
  readonly family: string
  readonly code: string
}

function readEntry(
  known: readonly KnownCodes[],
  { family, code }: Code,
  locusPrefix: 'full' | 'bare',
): TypingEntry | undefined {
  const results: EntryResult[] = []
  let names = 0
  for (const one of known) {
    const parts = one(family, code)
    if (parts === undefined) return undefined
    results.push(joinResult(parts, locusPrefix))
    names = Math.max(names, parts.length)
  }
  return { kind: PLAIN, status: 0, names, results }
}

function joinResult(parts: readonly SortPart[], locusPrefix: 'full' | 'bare'): EntryResult {
  const text = joinParts(parts)
  const rank = parts.length === 1 ? parts[0]?.key : undefined
  return { text: locusPrefix === 'bare' ? withoutLoci(text) : text, rank: rank ?? BY_TEXT }
}
