/** The shells themselves complete command lines, with the scripts of `hla completion`. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUN_FOLDER, type Ran, runShell } from '../support/run-hla.ts'
import { noteSkipped } from '../support/skipped.ts'

const cwd = join(RUN_FOLDER, 'completion')
mkdirSync(join(cwd, 'data/releases/3.58.0'), { recursive: true })
// the store takes a release with a manifest as installed
writeFileSync(join(cwd, 'data/releases/3.58.0/manifest.json'), '{}')
writeFileSync(join(cwd, 'donors.csv'), 'id,A_1,A_2,"Cell line"\n1,01:01,02:01,x\n')
writeFileSync(join(cwd, 'two.csv'), 'id,B,,C,\n,1,2,1,2\n1,07:02,08:01,01:02,07:01\n')
writeFileSync(join(cwd, 'known.pop'), 'labcode\tethnic\nX\tY\nid\tB_1\tB_2\n1\t07:02\t08:01\n')

/** The typed line, and the line or candidates after Tab. */
const LINES = [
  ['hla ser', 'serve'],
  ['hla redux --netw', '--network'],
  ['hla redux --input-format wmda-', 'wmda-lines'],
  ['hla redux -m h', 'hats'],
  ['hla redux -r 3', '3.58.0'],
  ['hla data verify 3', '3.58.0'],
  ['hla redux -f js', 'json jsonl'],
  ['hla redux -i donors.csv -c A', 'A_1 A_2'],
  ['hla redux -i donors.csv -c A_1,A', 'A_1,A_2'],
  ['hla redux -i two.csv -H -g 1', '1'],
  ['hla redux -i known.pop -g B', 'B_1 B_2'],
  ['hla redux --accept case,sp', 'case,space'],
  ['hla cwd --catalogue ci', 'ciwd3'],
  ['hla help tab', 'tables'],
  ['hla data catalogue c', 'ciwd3'],
  ['hla redux -i don', 'donors.csv'],
  ['hla diff 3', '3.58.0'],
  ['hla diff don', 'donors.csv'],
  ['hla diff donors.csv tw', 'two.csv'],
  ['hla diff 3.58.0 3', '3.58.0'],
] as const

function hasShell(name: string): boolean {
  const found = spawnSync(name, ['--version']).status === 0
  if (!found) noteSkipped(`no ${name} to complete command lines`)
  return found
}

function inShell(shell: string, script: string): Promise<Ran> {
  writeFileSync(join(cwd, 'script'), script)
  return runShell(`${shell} script`, { cwd })
}

describe.skipIf(!hasShell('bash'))('bash', () => {
  /** Calls the function as readline does; compgen does readline's own part. */
  const COMPLETE = `source <(hla completion bash)
compopt() { [[ $2 == default ]] && COMPREPLY=($(compgen -f -- "$word")); }
try() {
  COMP_LINE=$1 COMP_POINT=\${#1} word=\${1##* }
  _hla
  local IFS=' '; echo "\${COMPREPLY[*]}"
}`

  test('completes', async () => {
    const more = [
      ['hla redux --format=js', 'json jsonl'],
      // quoted as shell words
      ['hla redux -i two.csv -g B', String.raw`B\ 1 B\ 2`],
      ['hla redux -i donors.csv -l A=A_1,A', 'A_1,A_2'],
      ['hla redux -i donors.csv -c Cell', 'Cell\\ line'],
      ['hla redux -i nothing.csv -c A', ''],
    ] as const
    const lines = [...LINES, ...more]
    const { stdout } = await inShell(
      'bash --norc',
      [COMPLETE, ...lines.map(([line]) => `try '${line}'`)].join('\n'),
    )
    expect(
      stdout
        .split('\n')
        .slice(0, -1)
        .map((got, at) => [lines[at]?.[0], got]),
    ).toEqual(lines)
  })
})

describe.skipIf(!hasShell('fish'))('fish', () => {
  test('completes', async () => {
    const more = [
      ['hla redux --format=js', '--format=json --format=jsonl'],
      ['hla redux -i donors.csv -l A=A_1,A', 'A=A_1,A_2'],
      ['hla redux -i nothing.csv -c A', ''],
    ] as const
    const lines = [...LINES, ...more]
    const tries = lines.map(([line]) => `echo (complete -C '${line}' | string replace -r '\\t.*' '')`)
    const { stdout, stderr } = await inShell(
      'fish --no-config',
      ['hla completion fish | source', ...tries].join('\n'),
    )
    expect(stderr).toBe('')
    expect(
      stdout
        .split('\n')
        .slice(0, -1)
        .map((got, at) => [lines[at]?.[0], got]),
    ).toEqual(lines)
  })
})

/** Shells, each at its own terminal, that complete `show` like hla; `show` prints its arguments. */
const TERMINALS = {
  bash: {
    start: 'bash --norc --noprofile -i',
    setup: `PS1=; bind 'set enable-bracketed-paste off'; source <(hla completion bash); complete -F _hla show`,
  },
  zsh: {
    start: 'zsh -f -i',
    setup: `PS1=; unset zle_bracketed_paste; autoload -Uz compinit; compinit -D; source <(hla completion zsh); compdef _hla show`,
  },
} as const

const SHOW = `show() { printf 'got:'; printf ' <%s>' "$@"; echo; }`

/** Types lines, each followed by Tab and Enter; returns the arguments of `show`. */
function typeLines(
  { start, setup }: (typeof TERMINALS)['bash' | 'zsh'],
  lines: readonly string[],
): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const env = {
      PATH: `${join(RUN_FOLDER, 'bin')}:${process.env['PATH'] ?? ''}`,
      HOME: cwd,
      HLA_DATA_DIR: join(cwd, 'data'),
      TERM: 'dumb',
      LANG: 'C.UTF-8',
    }
    const shell = spawn('script', ['-qfec', start, '/dev/null'], { cwd, env })
    let printed = ''
    let asked = -1
    shell.stdout.on('data', (bytes: Buffer) => {
      printed += bytes.toString()
      const got = [...printed.matchAll(/^got:(.*?)\r*\n/gm)].map(([, words = '']) =>
        words.trim().replace('/>', '>'),
      )
      if (got.length <= asked + 1) return
      asked = got.length - 1
      const next = lines[asked]
      shell.stdin.write(next === undefined ? 'exit\n' : `show ${next}\t\n`)
      if (next === undefined) resolve(got.slice(1))
    })
    shell.on('error', reject)
    shell.on('close', () => reject(new Error(printed)))
    shell.stdin.write(`${setup}\n${SHOW}\nshow ready\n`)
  })
}

describe.skipIf(!hasShell('script')).for(['bash', 'zsh'] as const)('%s at a terminal', (name) => {
  test.skipIf(!hasShell(name))('completes what is typed', async () => {
    const lines = [
      ['ser', '<serve>'],
      ['redux --input-format wmda-', '<redux> <--input-format> <wmda-lines>'],
      ['redux -r 3', '<redux> <-r> <3.58.0>'],
      ['redux -i donors.csv -c A_1,A', '<redux> <-i> <donors.csv> <-c> <A_1,A_2>'],
      ['redux -i donors.csv -c Cell', '<redux> <-i> <donors.csv> <-c> <Cell line>'],
      ['redux -i donors.csv -l A=A_1,A', '<redux> <-i> <donors.csv> <-l> <A=A_1,A_2>'],
      ['redux --format=ts', '<redux> <--format=tsv>'],
      ['redux -i don', '<redux> <-i> <donors.csv>'],
      ['redux --input=don', '<redux> <--input=donors.csv>'],
      ['redux --data-dir da', '<redux> <--data-dir> <data>'],
      ['man data ver', '<man> <data> <verify>'],
    ] as const
    const got = await typeLines(
      TERMINALS[name],
      lines.map(([line]) => line),
    )
    expect(got.map((words, at) => [lines[at]?.[0], words])).toEqual(lines)
  })
})
