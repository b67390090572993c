/** Who answers the cells of a table. */
import { type Method, releaseMethods } from '../../engine/reduce/methods.ts'
import { makeNameFacts, type SettlingFacts } from '../cells/name-facts.ts'
import { type PastNames, pastNames } from '../cells/past-names.ts'
import type { DataFacts } from '../output/provenance.ts'
import { type Executor, localExecutor } from '../../operations/executor.ts'
import { dataIdText, type Knowledge } from '../../operations/knowledge.ts'

export interface Answering {
  readonly executor: Executor
  /** Of the release that answers. */
  readonly facts: SettlingFacts
  /** Of another one. @throws {HlaError} no-data, unknown-release */
  readonly factsOf: (release: string) => SettlingFacts
  /** undefined: whoever answers is far away. */
  readonly past?: PastNames
  /** What the answers come from, as a text to compare. */
  readonly dataId: string
  /** The same for provenance. */
  readonly dataFacts: () => Promise<DataFacts> | DataFacts
  /** What `-m all` stands for. */
  readonly methods: readonly Method[]
  /** How workers open it; undefined: it is not here. */
  readonly data: { readonly release: string; readonly dataDir: string | undefined } | undefined
}

export function localAnswering(knowledge: Knowledge, data: Answering['data']): Answering {
  const { release, mac } = knowledge
  const { label, dataset, hasHats } = release.facts
  return {
    methods: releaseMethods(hasHats),
    executor: localExecutor(knowledge),
    facts: makeNameFacts(release),
    past: pastNames(knowledge),
    factsOf: (other) => makeNameFacts(knowledge.other(other).release),
    // hashed when it is asked for
    get dataId() {
      return dataIdText(knowledge.identity) ?? starterId(label)
    },
    dataFacts: () => ({
      release: label,
      dataset,
      identity: knowledge.identity,
      mac: mac === undefined ? undefined : { date: mac.date, codes: mac.size },
    }),
    data,
  }
}

/** As the service has it. */
function starterId(label: string): string {
  return `${label}+starter`
}
