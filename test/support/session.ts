/**
 * Recorded sessions: shell commands with their output and exit status, as text; see test/transcripts/README.md.
 * [disk]
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { packagePath, packageVersion } from '../../src/package-root.ts'
import { callLine } from './call-hla.ts'
import { installedData } from './installed-data.ts'
import { smallBranch, withChecksums, within, writeFiles } from './published-release.ts'
import { RUN_FOLDER, runShell, type RunOptions } from './run-hla.ts'
import { sharedPath } from './shared.ts'

/** `# needs: releases terminal` */
export function needsOf(session: string): string[] {
  return (/^# needs: (.*)$/m.exec(session)?.[1] ?? '').split(' ').filter((need) => need !== '')
}

/** The session with the current output of its commands, run in `folder`. */
export async function replay(session: string, folder: string): Promise<string> {
  const options = await prepare(needsOf(session), folder)
  return withPlaceholders(await replayIn(session, options), options)
}

export async function replayIn(session: string, options: RunOptions): Promise<string> {
  const lines: string[] = []
  let isOutput = false
  for (const line of session.split('\n')) {
    if (!isOutput) lines.push(line)
    if (line.startsWith('→ ')) isOutput = false
    if (isOutput || !line.startsWith('$ ')) continue
    isOutput = true
    lines.push(...(await outcomeOf(line.slice(2), options)))
  }
  return lines.join('\n')
}

async function outcomeOf(command: string, options: RunOptions): Promise<string[]> {
  // programs that drop their rights, and lines with a pipe, are started
  const run = options.uid === undefined ? callLine : runShell
  const { stdout, stderr, status } = await run(command, options)
  const said = linesOf(stderr).map((line) => (line === '' ? '!' : `! ${line}`))
  return [...linesOf(stdout), ...said, `→ ${status}`]
}

function linesOf(text: string): string[] {
  if (text === '') return []
  return text.endsWith('\n') ? text.slice(0, -1).split('\n') : [...text.split('\n'), '(no line feed)']
}

async function prepare(needs: readonly string[], folder: string): Promise<RunOptions> {
  mkdirSync(folder, { recursive: true })
  const data = needs.includes('releases') ? await installedData() : join(folder, 'data')
  if (needs.includes('source')) writeFiles(join(folder, 'IMGTHLA'), smallSource())
  const env = { HLA_DATA_DIR: data, DATA: data, TMP: folder, SHARED: sharedPath() }
  if (!needs.includes('unprivileged') || process.getuid?.() !== 0) return { cwd: folder, env }
  chmodSync(folder, 0o755)
  chownSync(folder, NOBODY, NOBODY)
  return {
    cwd: folder,
    env: { ...env, PATH: `${programForAll()}:${process.env['PATH'] ?? ''}` },
    uid: NOBODY,
  }
}

const NOBODY = 65_534

/** Folder of a copy of the program that other users can read, as the checkout may be private. */
function programForAll(): string {
  const copy = join(RUN_FOLDER, 'for-all')
  if (!existsSync(copy)) {
    for (const name of ['bin', 'data', 'dist', 'package.json'])
      cpSync(packagePath(name), join(copy, name), { recursive: true })
    symlinkSync('hla.cjs', join(copy, 'bin/hla'))
    symlinkSync(process.execPath, join(copy, 'bin/node'))
  }
  return join(copy, 'bin')
}

/** Whether an unprivileged user can run Node, which may be in a private home folder. */
export function canDropRights(): boolean {
  if (process.getuid?.() !== 0) return true
  return spawnSync(process.execPath, ['--version'], { uid: NOBODY, gid: NOBODY, cwd: '/' }).status === 0
}

/** Two releases of three alleles, and a list of one code. */
function smallSource(): Map<string, Buffer> {
  return new Map([
    ...within('3570', smallBranch('3.57.0', '2024-07-01')),
    ...within('3580', withChecksums(smallBranch('3.58.0'))),
    ['numer.v3.txt', Buffer.from('LAST UPDATED: 07/11/20\nCODE\tSUBTYPE\n\nAB\t01/02\n')],
  ])
}

/** Replaces text that depends on the machine or version by placeholders. */
function withPlaceholders(text: string, { cwd, env = {} }: RunOptions): string {
  return text
    .replaceAll(env['DATA'] ?? '', '$DATA')
    .replaceAll(cwd, '$TMP')
    .replaceAll(sharedPath(), '$SHARED')
    .replaceAll(`hla ${packageVersion()}`, 'hla $VERSION')
    .replaceAll(`hla\tok\t${packageVersion()}`, 'hla\tok\t$VERSION')
    .replaceAll(`"hla_version": "${packageVersion()}"`, '"hla_version": "$VERSION"')
    .replace(/^age .*$/gm, (line) => line.replaceAll(/[\d,]+ days/g, '$DAYS'))
    .replaceAll(`node ${process.versions.node}`, 'node $NODE')
}
