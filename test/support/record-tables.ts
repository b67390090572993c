/** Converts files of typing records in this process like the command line: one file, or several into one table. */
import { HlaError } from '../../src/errors.ts'
import { readableSink } from '../../src/io/readable-sink.ts'
import type { ByteInput } from '../../src/io/file-port.ts'
import type { Release } from '../../src/reference/release.ts'
import type { History } from '../../src/reference/history/history.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { cellOperationNamed } from '../../src/operations/registry.ts'
import { type Failure, failureText } from '../../src/table/output/failure-report.ts'
import type { SummaryRecord } from '../../src/table/output/summary.ts'
import type { RawTableOptions } from '../../src/options/table-options.ts'
import type { TablePlan } from '../../src/table/plan/plan.ts'
import {
  type TableJob,
  type TableLimits,
  localAnswering,
  resolvedOptions,
} from '../../src/table/run/table-job.ts'
import { openJob } from '../../src/table/run/run-table.ts'
import { layoutFor } from '../../src/table/plan/layouts.ts'
import { smallMacs, smallRelease } from './small-release.ts'

const PARTS = { release: smallRelease(), mac: smallMacs() }
const knowledge = makeKnowledge(PARTS)
const nothing = () => undefined

export interface ConvertedRecords {
  readonly output: string
  readonly bytes: Buffer
  readonly record: SummaryRecord | undefined
  readonly failures: readonly string[]
  readonly plan: TablePlan | undefined
  readonly planText: string
}

type Content = string | Buffer | (() => AsyncGenerator<Buffer>)

/** File name -> content. Bytes come in pieces of `piece`, or as they are generated. */
export async function convertRecords(
  files: Readonly<Record<string, Content>>,
  options: RawTableOptions & {
    methods?: readonly string[]
    limits?: TableLimits
    piece?: number
    isValidated?: boolean
    history?: History
    /** Default: the small release. */
    release?: Release
    details?: boolean
    /** Input of the operation besides the method. */
    more?: object
  } = {},
): Promise<ConvertedRecords> {
  const {
    methods = ['lgx'],
    limits,
    piece = 1 << 16,
    isValidated = false,
    history,
    release,
    more,
    ...raw
  } = options
  const operation = cellOperationNamed(isValidated ? 'validate' : 'redux')
  const parts = Object.entries(files).map(([name, text]) =>
    sourceOf(name, typeof text === 'string' ? Buffer.from(text) : text, piece),
  )
  const [source] = parts
  if (source === undefined) throw new HlaError('internal', 'no file')
  const sink = readableSink()
  const inputs = isValidated
    ? [{ ...more }]
    : methods.map((reduction_method) => ({ reduction_method, ...more }))
  const failures: Failure[] = []
  let [plan, record]: [TablePlan | undefined, SummaryRecord | undefined] = [undefined, undefined]
  const question = { source, options: raw, operation, inputs, accept: [] }
  const job: TableJob = {
    source,
    question,
    parts: parts.length > 1 ? parts : undefined,
    output: '-',
    filePort: {
      source: () => source,
      sink: (_, asked) => Promise.resolve(sink.open(asked)),
      isRemote: () => false,
      beside: (file) => file,
      removeOwn: nothing,
      close: () => Promise.resolve(),
    },
    answering: localAnswering(
      release !== undefined
        ? makeKnowledge({ release, ...(history === undefined ? {} : { history: () => history }) })
        : history === undefined
          ? knowledge
          : makeKnowledge({ ...PARTS, history: () => history }),
    ),
    operation,
    inputs,
    layout: layoutFor(raw.inputFormat, source.title),
    options: resolvedOptions(question),
    limits,
    reporter: {
      planned: (planned) => void (plan = planned),
      progress: () => ({ passed: nothing, clear: nothing, finish: nothing }),
      failed: (failure) => void failures.push(failure),
      allFailed: nothing,
      finished: (result) => void ({ record } = result),
    },
  }
  const { convert, planText } = await openJob(job)
  const shown = planText()
  const pieces: Uint8Array[] = []
  for await (const one of sink.pieces(convert)) pieces.push(one)
  const bytes = Buffer.concat(pieces)
  return {
    output: bytes.toString(),
    bytes,
    record,
    failures: failures.map((failure) => failureText(failure, source.name)),
    plan,
    planText: shown,
  }
}

function sourceOf(name: string, content: Exclude<Content, string>, piece: number): ByteInput {
  const of = { name, title: name, identity: nothing as never }
  if (typeof content === 'function') return { ...of, size: undefined, bytes: content }
  const { length } = content
  const slice = (at: number) => content.subarray(at, at + piece)
  async function* bytes() {
    for (let at = 0; at < length; at += piece) yield await Promise.resolve(slice(at))
  }
  return { ...of, size: length, bytes }
}

/** The rows of a table as lists of cells. */
export function cellsIn(text: string, delimiter: string): string[][] {
  return text.trimEnd().split('\n').map((line) => line.split(delimiter)) // prettier-ignore
}
