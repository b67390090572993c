/** Loads SQLite: the one built into Node if there is one, otherwise the package with the same interface.  [disk] */
import { basename, dirname } from 'node:path'
import { HlaError } from '../../../errors.ts'
import { packagePath, packageText } from '../../../package-root.ts'

export type Bound = string | number | bigint | null | Uint8Array

export interface Statement {
  run(...values: readonly Bound[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...values: readonly Bound[]): unknown
  all(...values: readonly Bound[]): unknown[]
  iterate(...values: readonly Bound[]): IterableIterator<unknown>
  /** Returns whole numbers as bigint if `isOn`. */
  setReadBigInts(isOn: boolean): void
}

export interface SqliteConnection {
  prepare(sql: string): Statement
  exec(sql: string): void
  close(): void
}

export interface Sqlite {
  readonly DatabaseSync: new (path: string, options: OpenOptions) => SqliteConnection
  /** Copies a database that may be written to meanwhile, `rate` pages at a time. */
  readonly backup: (from: SqliteConnection, to: string, options?: { rate?: number }) => Promise<unknown>
}

export interface OpenOptions {
  readonly readOnly?: boolean
  readonly enableForeignKeyConstraints?: boolean
  /** Milliseconds to wait for a lock. */
  readonly timeout?: number
}

let loaded: Sqlite | undefined

export async function loadSqlite(): Promise<Sqlite> {
  // the package has the same interface but its own types
  loaded ??= builtInSqlite() ?? (await packaged())
  return loaded
}

/** @throws {HlaError} io — not installed, or not for this machine */
async function packaged(): Promise<Sqlite> {
  try {
    return (await import('@photostructure/sqlite')) as unknown as Sqlite
  } catch (cause) {
    throw new HlaError(
      'io',
      `the file store needs SQLite: Node ${process.versions.node} has none of its own, and the package @photostructure/sqlite cannot be loaded`,
      {
        hint: `${installCommand(packagePath())}\n(Node 22.16 and later include SQLite)`,
        cause,
      },
    )
  }
}

const PACKAGE = '@photostructure/sqlite'

/** Command that installs the package where the program in the folder `root` finds it. */
export function installCommand(root: string): string {
  // our own file
  const { peerDependencies = {} } = JSON.parse(packageText('package.json')) as PackageFacts
  const named = `${PACKAGE}@${peerDependencies[PACKAGE] ?? ''}`
  const above = dirname(root)
  const isInstalled = basename(above) === 'node_modules'
  // npm's global folder, and the packages of other managers, are in the folder lib of a prefix
  const lib = isInstalled ? dirname(above) : above
  if (basename(lib) === 'lib') {
    const prefix = dirname(lib)
    const isUsual = isInstalled && prefix === dirname(dirname(process.execPath))
    return ['npm install -g', ...(isUsual ? [] : ['--prefix', quoted(prefix)]), named].join(' ')
  }
  if (isInstalled) return `npm install --prefix ${quoted(lib)} ${named}`
  return `npm ci --prefix ${quoted(root)}`
}

interface PackageFacts {
  readonly peerDependencies?: Readonly<Record<string, string>>
}

function quoted(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}

/** Suppresses Node's warning that SQLite is experimental, which is meant for developers. */
function builtInSqlite(): Sqlite | undefined {
  const warn = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    // Node 20 has neither SQLite nor its types; versions with `backup` (22.16, 23.8) have full-text search too
    const found: Partial<Sqlite> | undefined = process.getBuiltinModule('node:sqlite')
    return isWhole(found) ? found : undefined
  } finally {
    process.emitWarning = warn
  }
}

function isWhole(found: Partial<Sqlite> | undefined): found is Sqlite {
  return found?.backup !== undefined && found.DatabaseSync !== undefined
}

/** SQLite's primary result code, the low byte of the extended one. Undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  return 'code' in error && error.code === 'ERR_SQLITE_ERROR' ? codeIn(error.message) : undefined
}

/** The package gives no code for errors while reading rows, but the message is SQLite's own. */
function codeIn(message: string): number {
  return TEXTS.find(([text]) => message.includes(text))?.[1] ?? SQLITE.other
}

/** https://www.sqlite.org/rescode.html */
export const SQLITE = {
  other: 1,
  busy: 5,
  noMemory: 7,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const

/** https://www.sqlite.org/c3ref/errcode.html */
const TEXTS: readonly (readonly [text: string, code: number])[] = [
  ['database is locked', SQLITE.busy],
  ['out of memory', SQLITE.noMemory],
  ['readonly database', SQLITE.readOnly],
  ['disk I/O error', SQLITE.io],
  ['malformed', SQLITE.corrupt],
  ['corrupt', SQLITE.corrupt],
  ['is full', SQLITE.full],
  ['unable to open database', SQLITE.cannotOpen],
  ['file is not a database', SQLITE.notADatabase],
]
