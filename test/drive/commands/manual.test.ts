/** The commands of a store say on their own what the printed manual says of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CommandSpec } from '../../../src/cli/options/declare-command.ts'
import { DRIVE } from '../../../src/drive/commands/drive.ts'

const MAN = join(import.meta.dirname, '../../../man')

/** Lines of a page of the manual, without the marks of their type. */
function readManual(page: string): string[] {
  const text = readFileSync(join(MAN, `${page}.1`), 'utf8')
  return text
    .replaceAll(/\\f[BIR]|\\&/g, '')
    .replaceAll('\\-', '-')
    .replaceAll('\\(aq', "'")
    .replaceAll('\\e', '\\')
    .split('\n')
}

const sentence = (summary: string) => `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`

/** What a page says of a command: its line, its first sentence, and its examples. */
function sectionOf(
  lines: readonly string[],
  title: string,
): { first: string | undefined; lines: readonly string[] } {
  const words = title.split(' ')
  const begin = lines.findIndex((line) => {
    if (!line.startsWith('.SS "')) return false
    const said = line
      .slice(5, -1)
      .split(' ')
      .filter((word) => word !== '[options]')
    return said.join(' ') === words.join(' ')
  })
  if (begin < 0) throw new Error(`the manual has no ${title}`)
  const rest = lines.slice(begin + 1)
  const end = rest.findIndex((line) => line.startsWith('.S'))
  return { first: rest[1], lines: rest.slice(0, end < 0 ? undefined : end) }
}

const groups = DRIVE.commands.filter(({ commands }) => commands !== undefined)
const singles = DRIVE.commands.filter(({ commands }) => commands === undefined)

/** Texts of the command that its section does not have. */
function differences(lines: readonly string[], prefix: string, spec: CommandSpec): string[] {
  const { usage, summary = '', examples = [], options = [] } = spec
  const section = sectionOf(lines, `${prefix} ${usage}`)
  const shown = examples.map((one) => {
    if (typeof one === 'string') return { command: one, output: undefined }
    return 'command' in one ? one : { command: one[0], output: one[1] }
  })
  const said = section.lines.filter((line) => line.startsWith('$ '))
  const firsts = shown.map(({ command }) => `$ ${command.split('\n')[0]}`)
  const rest = shown.flatMap(({ command, output }) => [
    ...command.split('\n').slice(1),
    ...(output?.split('\n') ?? []),
  ])
  const flags = options.flatMap(({ name, short, value, help, hidden }) => {
    if (hidden === true || typeof help !== 'string') return []
    const flag = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`
    const isSaid = (line: string, n: number) =>
      line === flag && help !== '' && lines[n + 1]?.startsWith(help.replaceAll('…', '...')) === true
    return lines.some(isSaid) ? [] : [`${flag}: ${help}`]
  })
  return [
    ...(section.first === sentence(summary) ? [] : [`summary: ${summary}`]),
    ...(said.join('\n') === firsts.join('\n') ? [] : firsts),
    ...rest.filter((line) => !section.lines.includes(line)),
    ...flags,
  ]
}

describe.for(groups.map((one) => [one.usage, one] as const))('hla drive %s', ([usage, group]) => {
  const lines = readManual(`hla-drive-${usage}`)
  test('has the summary of its page', () => {
    const { summary = '', description = '' } = group
    expect(lines).toContain(`hla-drive-${usage} - ${summary}`)
    expect(lines[lines.indexOf('.SH "DESCRIPTION"') + 2]).toBe(description)
  })
  test.for((group.commands ?? []).map((one) => [one.usage, one] as const))('%s', ([, spec]) => {
    expect(differences(lines, `hla drive ${usage}`, spec)).toEqual([])
  })
})

describe('hla drive', () => {
  const lines = readManual('hla-drive')
  test.for(singles.map((one) => [one.usage, one] as const))('%s', ([, spec]) =>
    expect(differences(lines, 'hla drive', spec)).toEqual([]),
  )
})
