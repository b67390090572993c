/** Opens data for programs: an engine that reduces, or every operation.  [disk] */
import type { Engine } from './engine/engine.ts'
import { makeEngine } from './engine/engine.ts'
import { type EngineOptions as EngineSettings, readOptions } from './engine/options.ts'
import { adviceText, outputFor } from './operations/faces.ts'
import { HlaError, isHlaError } from './errors.ts'
import { localExecutor } from './operations/executor.ts'
import { type Knowledge, type KnowledgeParts, makeKnowledge } from './operations/knowledge.ts'
import type { NamedOperations } from './operations/registry.ts'
import { OPERATIONS } from './operations/registry.ts'
import type { ValueOf } from './operations/schema.ts'
import { openInstalled, type Reading } from './reference/store/open-release.ts'
import { openStarter } from './reference/starter/open-starter.ts'
import { listInstalled } from './reference/store/installed.ts'
import { locateData } from './reference/store/location.ts'

/** Options that differ from `DEFAULT_OPTIONS`. */
export type EngineOptions = Partial<EngineSettings>

export interface OpenOptions extends EngineOptions {
  /** Folder of installed releases; default as for the command line. */
  readonly dataDir?: string
}

/**
 * Engine over an installed release: `'3.58.0'`, `'3580'`, `'active'` or `'starter'`.
 * @throws {HlaError} unknown-release, no-data, bad-request
 */
export function openRelease(release = 'active', { dataDir, ...options }: OpenOptions = {}): Engine {
  const read = readOptions(options)
  if (release === 'starter') {
    const starter = openStarter()
    return makeEngine(starter.release, starter.mac, read)
  }
  const { release: tables, mac, history } = namingStarter(() => openInstalled(locateData(dataDir), release))
  return makeEngine(tables, mac, read, history)
}

/** Every operation as a function of its input, named as in `hla pipe` and the service. */
export type Operations = {
  readonly [Name in keyof NamedOperations]: (
    input: ValueOf<NamedOperations[Name]['input']>,
  ) => ValueOf<NamedOperations[Name]['output']>
}

/**
 * Every operation over an installed release; each throws an HlaError for a wrong input.
 * @throws {HlaError} unknown-release, no-data
 */
export function openOperations(
  release = 'active',
  { dataDir }: { readonly dataDir?: string } = {},
): Operations {
  const { execute } = localExecutor(namingStarter(() => openData(release, dataDir)))
  const functions = OPERATIONS.map(({ name }) => {
    // the output's schema guarantees an object
    const answer = (input: unknown) =>
      outputFor(execute(name, input) as Readonly<Record<string, unknown>>, 'program')
    return [name, answer] as const
  })
  // execute checks the input against its schema, and the answer follows the output's schema
  return Object.fromEntries(functions) as unknown as Operations
}

/** A program prints messages and seldom hints, so the message has the remedy. */
function namingStarter<Data>(open: () => Data): Data {
  try {
    return open()
  } catch (error) {
    if (!isHlaError(error) || error.code !== 'no-data' || error.hint === undefined) throw error
    const remedy = adviceText(error.hint, 'command-line')?.replaceAll(/ {2,}/g, ' ') ?? ''
    throw new HlaError('no-data', `${error.message}: ${remedy}; the release 'starter' is built in`, {
      offending: error.offending,
      hint: error.hint,
      cause: error,
    })
  }
}

/** @throws {HlaError} unknown-release, no-data — the release is not installed */
export function openData(release: string, dataDir: string | undefined, reading?: Reading): Knowledge {
  const dirs = locateData(dataDir)
  if (release === 'starter') {
    const { release: tables, mac } = openStarter()
    const [newest] = listInstalled(dirs)
    return makeKnowledge({ release: { ...tables, installed: newest?.name }, mac })
  }
  const open = (name: string): KnowledgeParts => ({
    ...openInstalled(dirs, name, reading),
    open,
    installed: () => listInstalled(dirs).map(({ name: release }) => release),
  })
  return makeKnowledge(open(release))
}
