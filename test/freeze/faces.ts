/**
 * Sends the inputs of the freeze through the program: as a command, by HTTP, remotely, as a co-process
 * and as a library.  [disk]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERRORS } from '../../src/error-table.ts'
import { type ErrorCode, isHlaError } from '../../src/errors.ts'
import { openOperations } from '../../src/open.ts'
import { packagePath, packageVersion } from '../../src/package-root.ts'
import { callHla } from '../support/call-hla.ts'
import { closeConnections } from '../support/close-connections.ts'
import { type Ran, type RunOptions, runHla, runShell } from '../support/run-hla.ts'
import { sharedPath } from '../support/shared.ts'
import type { FrozenCommand, FrozenTable } from './inputs.ts'
import { SETUP } from './messages.ts'

/** One input and the output of every face: a name, and lines that a reviewer can judge. */
export interface FrozenRecord {
  readonly name: string
  readonly lines: readonly string[]
}

export interface Service {
  readonly url: string
  end(): Promise<unknown>
}

/** `hla serve` over the starter set, on a free port. */
export async function serveStarter(folder: string, program = packagePath('bin/hla.cjs')): Promise<Service> {
  const words = ['serve', '-r', 'starter', '--port', '0', '--access-log', 'off']
  const child: ChildProcess = spawn(process.execPath, [program, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, HLA_SYSTEM_DATA_DIR: join(folder, 'none') },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let told = ''
    child.stderr?.on('data', (bytes: Buffer) => {
      told += bytes.toString()
      const address = /on (http:\S+)\n/.exec(told)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.on('exit', () => reject(new Error(`the service ended: ${told}`)))
  })
  return {
    url,
    end() {
      closeConnections()
      const ended = once(child, 'exit')
      child.kill()
      return ended
    },
  }
}

/** Bytes; a longer text is stored as its digest. */
const LONGEST = 2048

/** Lines with a prefix; characters that terminals or editors hide are escaped. */
function shown(text: string, mark: string): string[] {
  if (text === '') return []
  if (Buffer.byteLength(text) > LONGEST) return [`${mark}${digest(text)}`]
  const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : [...text.split('\n'), '(no line feed)']
  return lines.map((line) => `${mark}${escaped(line)}`)
}

function digest(text: string): string {
  return `${Buffer.byteLength(text)} bytes, sha256 ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}

function escaped(line: string): string {
  return line.replaceAll(
    /[^\t\u0020-\u007e\u00a0-\uffff]|[\u200b-\u200f\u2028-\u202f\ufeff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The catalogue CWD 2.0.0 is no version of the program. */
const OWN_VERSION = new RegExp(`(?<!CWD )${packageVersion().replaceAll('.', '\\.')}`, 'g')

/** Replaces values that vary between machines, runs and versions by names. */
function settled(text: string, folder: string, url: string): string {
  return text
    .replaceAll(folder, '$FOLDER')
    .replaceAll(url === '' ? '\u0000' : url, '$SERVICE')
    .replaceAll(OWN_VERSION, '$$VERSION')
    .replaceAll(/(?<=_age_days":\s?)\d+/g, '$DAYS')
    .replaceAll(/(?<=<h:allele-assignment date=")[\d-]+/g, '$DATE')
    .replaceAll(process.versions.node, '$NODE')
    .replaceAll(process.version, '$NODE')
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, '$TIME')
    .replaceAll(/\b[\d,]+(?:\.\d+)? (?:rows|typings|lines|cells)\/s/g, '$RATE')
    .replaceAll(/"(?:seconds|elapsed|duration\w*)": ?[\d.]+/g, '$TIME')
    .replaceAll(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, '$MOMENT')
    .replaceAll(/[\d,]+ days/g, '$DAYS')
}

export interface Setting {
  readonly folder: string
  readonly service: Service
  /** Root of another copy of the program; default: this checkout. */
  readonly program?: string
}

function ranLines({ stdout, stderr, status }: Ran, clean: (text: string) => string): string[] {
  return [...shown(clean(stdout), '  '), ...shown(clean(stderr), '! '), `→ ${status}`]
}

/** Output of a second face, only where it differs from the first. */
function compared(
  face: string,
  [own, first]: readonly [Ran, Ran],
  clean: (text: string) => string,
): string[] {
  const [out, other] = [clean(own.stdout), clean(first.stdout)]
  const [talk, otherTalk] = [clean(own.stderr).split('\n'), clean(first.stderr).split('\n')]
  const added = talk.filter((line) => !otherTalk.includes(line)).map((line) => `! + ${escaped(line)}`)
  const missing = otherTalk.filter((line) => !talk.includes(line)).map((line) => `! - ${escaped(line)}`)
  const status = own.status === first.status ? [] : [`→ ${own.status}`]
  const unlike = [...(out === other ? [] : shown(out, '  ')), ...added, ...missing, ...status]
  return unlike.length === 0 ? [`${face}: the same`] : [`${face}:`, ...unlike]
}

let runs = 0

function runner(
  { program }: Setting,
  options: Omit<RunOptions, 'program'>,
): (words: readonly string[]) => Promise<Ran> {
  return (words) => (program === undefined ? callHla(words, options) : runHla(words, { ...options, program }))
}

/** A new folder for each run, since commands may write. */
function ownFolder({ folder }: Setting): string {
  const own = join(folder, `run-${(runs += 1)}`)
  mkdirSync(own)
  return own
}

/** One of `count` kinds, chosen by the name alone, so that adding inputs does not change other records. */
function kindOf(name: string, count: number): number {
  return (createHash('sha256').update(name).digest()[0] ?? 0) % count
}

/** One table in four is also read with answers of the service. */
export async function freezeTable(one: FrozenTable, setting: Setting): Promise<FrozenRecord> {
  const cwd = ownFolder(setting)
  writeFileSync(join(cwd, one.file), one.bytes)
  const words = ['redux', '-r', 'starter', '-i', one.file, ...one.args]
  const clean = (text: string) => settled(text, cwd, setting.service.url)
  const run = runner(setting, { cwd })
  const own = await run(words)
  const lines = [`$ hla ${words.join(' ')}`, ...ranLines(own, clean)]
  const kind = kindOf(one.name, 4)
  const asked = ['redux', '-i', one.file, ...one.args, '--remote', setting.service.url]
  if (kind === 1) lines.push(...compared('remote', [await run(asked), own], clean))
  if (one.args.length === 0) lines.push(...(await postedLines(one, own, setting)))
  return { name: `table: ${one.name}`, lines }
}

/** `POST /table`: parts of the answer, except text that the command also wrote to stdout. */
async function postedLines(
  { file, bytes }: FrozenTable,
  own: Ran,
  { service, folder }: Setting,
): Promise<string[]> {
  const answer = await fetch(`${service.url}/table?name=${encodeURIComponent(file)}`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    // beside slow commands the service ends an idle connection while the next request is sent
    headers: { connection: 'close' },
  })
  const clean = (text: string) => settled(text, folder, service.url)
  const head = `POST /table ${answer.status}`
  if (!(answer.headers.get('content-type') ?? '').startsWith('multipart/')) {
    return [head, ...shown(clean(await answer.text()), '  ')]
  }
  const form = await answer.formData()
  const parts = await Promise.all(
    [...form].map(async ([name, value]) => {
      const text = typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()).toString('utf8')
      if (name === 'table' && text === own.stdout) return [`${name}: the same`]
      return [`${name}:`, ...shown(clean(text), '  ')]
    }),
  )
  return [head, ...parts.flat()]
}

/** Half of the commands that answer typings also run with a remote service. */
export async function freezeCommand(one: FrozenCommand, setting: Setting): Promise<FrozenRecord> {
  const { args, stdin, files = {} } = one
  const cwd = ownFolder(setting)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  const input = stdin === undefined ? {} : { stdin }
  const clean = (text: string) => settled(text, cwd, setting.service.url)
  const run = runner(setting, { cwd, ...input })
  const own = await run(args)
  const lines = [...(stdin === undefined ? [] : shown(stdin, '< ')), ...ranLines(own, clean)]
  const [command, ...rest] = args
  if (
    kindOf(args.join(' '), 2) === 0 &&
    rest[0] === '-r' &&
    rest[1] === 'starter' &&
    !args.includes('--remote') &&
    command !== 'explain'
  ) {
    const asked = [command ?? '', '--remote', setting.service.url, ...rest.slice(2)]
    lines.push(...compared('remote', [await run(asked), own], clean))
  }
  return { name: `$ hla ${args.map(escaped).join(' ')}${stdin === undefined ? '' : ' < stdin'}`, lines }
}

/** A line of bash that fails with this code, over real releases. */
export async function freezeMessage(
  code: ErrorCode,
  line: string,
  setting: Setting,
  data: string,
): Promise<FrozenRecord> {
  const cwd = ownFolder(setting)
  symlinkSync(sharedPath('upstream/IMGTHLA'), join(cwd, 'IMGTHLA'))
  const ran = await runShell(`${SETUP}\n${line}`, {
    cwd,
    env: { HLA_DATA_DIR: data, SERVICE: setting.service.url },
  })
  const lines = ranLines(ran, (text) => settled(text, cwd, setting.service.url))
  // a message about a typing names its code; the others have a status of their own
  const { about, exit } = ERRORS[code]
  const isShown = lines.some((one) => one.includes(`[${code}]`) || one.includes(`"code":"${code}"`))
  if (!isShown && (about === 'typing' || ran.status !== exit))
    throw new Error(`no ${code}: ${lines.join('\n')}`)
  return { name: code, lines: [`$ ${line}`, ...lines] }
}

export async function freezeRequest(
  [method, path, body]: readonly [method: string, path: string, body?: string],
  { service, folder }: Setting,
): Promise<FrozenRecord> {
  const answer = await fetch(service.url + path, {
    method,
    ...(body === undefined
      ? {}
      : { body, headers: { 'content-type': path.startsWith('/table') ? 'text/csv' : 'application/json' } }),
  })
  const text = settled(await answer.text(), folder, service.url)
  const type = answer.headers.get('content-type') ?? 'no type'
  return {
    name: `${method} ${path}${body === undefined ? '' : ` ${escaped(body).replaceAll('\n', '\\n')}`}`,
    lines: [
      `${answer.status} ${type.replace(/boundary=.*/, 'boundary')}`,
      ...shown(text.replaceAll(/--[\w-]{10,}/g, '--boundary'), '  '),
    ],
  }
}

/** `redux` and `validate` of typings by one co-process, the library and HTTP. */
export async function freezeTypings(typings: readonly string[], setting: Setting): Promise<FrozenRecord[]> {
  const asked = typings.flatMap((gl_string) => [
    { op: 'redux', gl_string, reduction_method: 'G' } as const,
    { op: 'validate', gl_string } as const,
  ])
  const stdin = asked.map((one) => `${JSON.stringify(one)}\n`).join('')
  const piped = await callHla(['pipe', '-r', 'starter'], { cwd: ownFolder(setting), stdin })
  const answers = piped.stdout.trimEnd().split('\n')
  const operations = openOperations('starter')
  const records = asked.map((one, at) => {
    const { op, ...input } = one
    const answer = answers[at] ?? '(no answer)'
    const fromLibrary = JSON.stringify(answered(() => operations[op](input)))
    return {
      name: `typing: ${escaped(one.gl_string)}, ${op}`,
      lines: [`pipe ${answer}`, fromLibrary === answer ? 'library: the same' : `library ${fromLibrary}`],
    }
  })
  return [...records, { name: 'pipe, at its end', lines: ranLines({ ...piped, stdout: '' }, (text) => text) }]
}

function answered(ask: () => unknown): unknown {
  try {
    return ask()
  } catch (error) {
    if (!isHlaError(error)) throw error
    const { code, message, hint, suggestions } = error
    return { code, message, hint, suggestions }
  }
}

/**
 * A file outside the repository, converted over a real release: digests of outputs and messages, the codes of its notes
 * and failures, and the summary.
 */
export async function freezeShared(name: string, folder: string, data: string): Promise<FrozenRecord> {
  // relative to the folder, whose path must not affect even the column of a caret
  // the XX codes of this registry expand to a gigabyte of names
  const kept = name.includes('/simk/') ? ['--keep', 'xx'] : []
  const { stdout, stderr, status } = await runHla(['redux', '-m', 'lgx', '-i', name, ...kept], {
    cwd: folder,
    env: { HLA_DATA_DIR: data },
  })
  const told = settled(stderr, folder, '')
  const codes = [...new Set([...told.matchAll(/\[([\w-]+)\]$/gm)].map(([, code = '']) => code))].toSorted()
  const summary = /^hla: [\d,]+ \w+, .*$/m.exec(told)?.[0] ?? ''
  return {
    name,
    lines: [
      `stdout ${digest(stdout)}`,
      `stderr ${digest(told)}`,
      `codes ${codes.join(' ')}`,
      summary,
      `→ ${status}`,
    ].filter((line) => line !== ''),
  }
}
