/** What the service answers from at the moment; a reload puts another in its place, and who has the old one keeps it. */
import type { Engine } from '../engine/engine.ts'
import { type Executor, localExecutor } from '../operations/executor.ts'
import type { Knowledge } from '../operations/knowledge.ts'
import { packageVersion } from '../package-root.ts'

export interface Served {
  readonly knowledge: Knowledge
  readonly executor: Executor
  /** `3.58.0+mac.20200711 sha256:…`, or `3.58.0+starter` */
  readonly dataId: string
  /** What an answer depends on besides its address, as an entity tag. */
  readonly etag: string
}

export interface Current {
  served: Served
}

export function makeServed(knowledge: Knowledge, maxAlleles: number): Served {
  const limited = limitedKnowledge(knowledge, maxAlleles)
  const { identity, release } = knowledge
  const dataId =
    identity.id === undefined
      ? `${release.facts.label}+starter`
      : `${identity.id} sha256:${identity.sha256 ?? ''}`
  const etag = `"${dataId.replace(' sha256:', '-')}-${packageVersion()}"`
  return { knowledge: limited, executor: localExecutor(limited), dataId, etag }
}

/** Requests can ask for a lower limit of names, never for a higher one, and never for none. */
function limitedKnowledge(knowledge: Knowledge, most: number): Knowledge {
  if (most === 0) return knowledge
  const marked = new WeakMap<Engine, Engine>()
  /** The same one each time: engines remember what they have answered. */
  const ofOperator = (engine: Engine) => {
    const known = marked.get(engine) ?? { ...engine, hasOperatorLimit: true }
    marked.set(engine, known)
    return known
  }
  const standard = ofOperator(knowledge.engine({ limit: most }))
  return {
    ...knowledge,
    mostNames: most,
    other: (name) => limitedKnowledge(knowledge.other(name), most),
    engine(options, liftsMembers) {
      if (options === undefined && liftsMembers !== true) return standard
      const given = options ?? {}
      const limit = limitIn(given) ?? 0
      const isOperators = limit === 0 || limit >= most
      return isOperators
        ? ofOperator(knowledge.engine({ ...given, limit: most }, liftsMembers))
        : knowledge.engine(given, liftsMembers)
    },
  }
}

/** Anything but a number is left to the engine's own check of options. */
function limitIn(options: unknown): number | undefined {
  const limit =
    typeof options === 'object' && options !== null && 'limit' in options ? options.limit : undefined
  return typeof limit === 'number' ? limit : undefined
}
