/** Knowledge: the reference data of a process, and the engines over it. */
import { advice, command } from '../advice.ts'
import { HlaError } from '../errors.ts'
import { starterHint } from '../engine/expand/mac.ts'
import { type Engine, makeEngine } from '../engine/engine.ts'
import { type EngineMemory, makeMemory } from '../engine/memory.ts'
import { DEFAULT_OPTIONS, type EngineOptions, readOptions } from '../engine/options.ts'
import { type Citations, readCitations, NO_CITATIONS, type Sources } from '../reference/citations.ts'
import type { History } from '../reference/history/history.ts'
import type { FileCatalogueId } from '../reference/catalogues.ts'
import type { CatalogueTable } from '../reference/sources/catalogue-files.ts'
import type { MacTable } from '../reference/mac-table.ts'
import type { Release } from '../reference/release.ts'
import { formatCount } from '../format-count.ts'

/** Identity of the data behind an answer. */
export interface DataIdentity {
  /** `3.58.0+mac.20200711`; undefined for the starter set */
  readonly id: string | undefined
  /** First 12 hex digits of the sha256 over all files. */
  readonly sha256: string | undefined
  readonly files: readonly { readonly name: string; readonly sha256: string }[]
  /** Names of files installed with content other than published; undefined for none. */
  readonly changed?: readonly string[]
  /** Warnings about the installed files, or accepted at installation; undefined for none. */
  readonly warnings?: readonly string[]
  /** The antigens are from `wmda/pre2026` of the release. */
  readonly antigensBefore2026?: boolean
}

/** Text for display and comparison: `3.58.0+mac.20200711 sha256:0123456789ab`; undefined for the starter set. */
export function dataIdText({ id, sha256 }: DataIdentity): string | undefined {
  return id === undefined ? undefined : `${id} sha256:${sha256}`
}

/** Properties about unusual data; omitted for regular ones. */
export function describePeculiarities({
  changed = [],
  warnings = [],
  antigensBefore2026 = false,
}: DataIdentity) {
  return {
    ...(antigensBefore2026 && { antigens: 'before-2026' as const }),
    ...(changed.length > 0 && { changed: [...changed] }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  }
}

export interface Knowledge {
  readonly release: Release
  readonly mac: MacTable | undefined
  readonly identity: DataIdentity
  /** Spellings of names in all releases; undefined when the lists are not installed. Opened at first use. */
  readonly history: () => History | undefined
  /** An installed catalogue; undefined without it. Read at first use. */
  readonly catalogue: (id: FileCatalogueId) => CatalogueTable | undefined
  /** Installed catalogues besides the built-in one. */
  readonly catalogues: () => readonly { readonly name: string; readonly sha256: string }[]
  /** Lines of facts in the published files; empty for the starter set, which has none. */
  readonly citations: Citations
  /**
   * Knowledge of another installed release; opened once.
   * @throws {HlaError} unknown-release, no-data
   */
  readonly other: (release: string) => Knowledge
  /** Maximum number of names in a text, for every operation; undefined applies only the engine's limit. */
  readonly mostNames?: number
  /** Remaining budget for suggestions; undefined for no limit. */
  readonly advice?: AdviceBudget
  /** Releases available through `other`, newest first. */
  readonly installed: () => readonly string[]
  /** Engine for external options; equal options return the same engine. `membersOf` is as in `Engine`. */
  readonly engine: (options?: unknown, membersOf?: string) => Engine
  /** Cache shared by its engines, including those of other releases opened through it. */
  readonly memory: EngineMemory
}

/** Budget of name suggestions: finding them takes longer than everything else. */
export interface AdviceBudget {
  left: number
  /** Names without suggestions after the budget ran out. */
  refused: number
}

export const MAX_ADVISED_NAMES = 10_000

/** The same knowledge with a budget for one table or batch, however many names are wrong in it. */
export function withBudget(knowledge: Knowledge, advice: AdviceBudget): Knowledge {
  return { ...knowledge, advice, other: (name) => withBudget(knowledge.other(name), advice) }
}

export function adviceBudget(): AdviceBudget {
  return { left: MAX_ADVISED_NAMES, refused: 0 }
}

/** Exhausted budget whose exhaustion was already reported. */
export function spentBudget(): AdviceBudget {
  return { left: 0, refused: 1 }
}

export function budgetText(): string {
  const most = formatCount(MAX_ADVISED_NAMES)
  return `suggestions were made only for the first ${most} unknown names`
}

export interface KnowledgeParts {
  readonly release: Release
  readonly mac?: MacTable | undefined
  readonly identity?: () => DataIdentity
  readonly history?: () => History | undefined
  readonly catalogue?: (id: FileCatalogueId) => CatalogueTable | undefined
  readonly catalogues?: () => readonly { readonly name: string; readonly sha256: string }[]
  /** Published files that the release was compiled from. */
  readonly sources?: Sources
  /** Releases available through `open`, newest first. */
  readonly installed?: () => readonly string[]
  /** Opens another release; undefined without any. */
  readonly open?: (release: string) => KnowledgeParts
}

export function makeKnowledge(parts: KnowledgeParts, memory = makeMemory()): Knowledge {
  const { release, mac, sources } = parts
  const history = once(parts.history)
  const identity = once(parts.identity)
  const engines = new Map<string, Engine>()
  const others = new Map<string, Knowledge>()
  const make = (read: EngineOptions) => ({ ...makeEngine(release, mac, read, history), memory })
  const standard = make(DEFAULT_OPTIONS)
  return {
    release,
    mac,
    get identity() {
      return identity() ?? { id: undefined, sha256: undefined, files: [] }
    },
    history,
    catalogue: onceEach(parts.catalogue),
    memory,
    catalogues: () => parts.catalogues?.() ?? [],
    installed: () => parts.installed?.() ?? [],
    citations: sources === undefined ? NO_CITATIONS : readCitations(sources, release.facts.label),
    other(name) {
      const known = others.get(name) ?? makeKnowledge(openOther(name, parts), memory)
      others.set(name, known)
      return known
    },
    engine(options, membersOf) {
      if (options === undefined && membersOf === undefined) return standard
      const read = readOptions(options)
      const key = `${optionsKey(read)} ${membersOf ?? ''}`
      const engine = engines.get(key) ?? (membersOf === undefined ? make(read) : { ...make(read), membersOf })
      if (engines.size >= MAX_ENGINES) engines.clear()
      engines.set(key, engine)
      return engine
    },
  }
}

function once<T>(open: (() => T | undefined) | undefined): () => T | undefined {
  let opened: T | undefined
  let tried = false
  return () => {
    if (!tried) opened = open?.()
    tried = true
    return opened
  }
}

function onceEach<K, T>(open: ((key: K) => T | undefined) | undefined): (key: K) => T | undefined {
  const opened = new Map<K, () => T | undefined>()
  return (key) => {
    const own = opened.get(key) ?? once(open && (() => open(key)))
    opened.set(key, own)
    return own()
  }
}

function openOther(name: string, { open }: KnowledgeParts): KnowledgeParts {
  if (open !== undefined) return open(name)
  throw new HlaError('no-data', 'no other release can be opened here', {
    offending: name,
    hint: /^\d/.test(name) ? advice`${command('data install', { args: [name] })} installs it` : undefined,
  })
}

/** Maximum number of engines: each caches its results, so varying options must not fill the memory. */
const MAX_ENGINES = 16

function optionsKey(options: EngineOptions): string {
  return JSON.stringify(Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** @throws {HlaError} starter — the question needs complete lists */
export function refuseStarter({ release }: Knowledge, what: string): void {
  if (release.facts.dataset !== 'starter') return
  throw new HlaError('starter', `${what} needs complete lists; the built-in starter set has none`, {
    hint: starterHint(release),
  })
}
