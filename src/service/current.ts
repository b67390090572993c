/** Data that the service answers from. A reload replaces them; requests in progress keep the old ones. */
import type { Engine } from '../engine/engine.ts'
import { type Executor, localExecutor } from '../operations/executor.ts'
import type { Knowledge } from '../operations/knowledge.ts'
import { packageVersion } from '../package-root.ts'

export interface ServedData {
  readonly knowledge: Knowledge
  readonly executor: Executor
  /** `3.58.0+mac.20200711 sha256:…`, or `3.58.0+starter` */
  readonly dataId: string
  /** Entity tag of the data, for answers that depend only on data and address. */
  readonly etag: string
}

export interface Current {
  served: ServedData
}

export function makeServed(knowledge: Knowledge, maxAlleles: number): ServedData {
  const limited = limitedKnowledge(knowledge, maxAlleles)
  const { identity, release } = knowledge
  const dataId =
    identity.id === undefined
      ? `${release.facts.label}+starter`
      : `${identity.id} sha256:${identity.sha256 ?? ''}`
  const etag = `"${dataId.replace(' sha256:', '-')}-${packageVersion()}"`
  return { knowledge: limited, executor: localExecutor(limited), dataId, etag }
}

/** Applies the operator's limit of names: requests may lower it, but neither raise nor disable it. */
function limitedKnowledge(knowledge: Knowledge, maxNames: number): Knowledge {
  if (maxNames === 0) return knowledge
  const markedEngines = new WeakMap<Engine, Engine>()
  /** Marked engine, the same one each time, since engines cache their answers. */
  const ofOperator = (engine: Engine) => {
    const markedEngine = markedEngines.get(engine) ?? { ...engine, hasOperatorLimit: true }
    markedEngines.set(engine, markedEngine)
    return markedEngine
  }
  const standard = ofOperator(knowledge.engine({ limit: maxNames }))
  return {
    ...knowledge,
    mostNames: maxNames,
    other: (name) => limitedKnowledge(knowledge.other(name), maxNames),
    engine(options, membersOf) {
      if (options === undefined && membersOf === undefined) return standard
      const requested = options ?? {}
      const limit = limitIn(requested)
      const isOperatorLimit = typeof limit === 'number' && (limit === 0 || limit >= maxNames)
      return isOperatorLimit
        ? ofOperator(knowledge.engine({ ...requested, limit: maxNames }, membersOf))
        : knowledge.engine(requested, membersOf)
    },
  }
}

/** Limit from the request's options, 0 without one; the engine rejects a non-number. */
function limitIn(options: object): unknown {
  return 'limit' in options ? options.limit : 0
}
