/**
 * Runs the shell blocks of a page in order, in one shell with its own home; see test/docs/README.md.  [disk, network]
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DocBlock, blocksOf, withBlocks } from './doc-page.ts'
import { freePort } from './free-port.ts'
import { installedData } from './installed-data.ts'
import { hasProgram } from './programs.ts'
import { findPython, PYTHON_SOURCES } from './python.ts'
import { runShell } from './run-hla.ts'
import { hasShared, sharedPath } from './shared.ts'

const R_SOURCES = join(import.meta.dirname, '../../clients/r')

/** Allowed reasons not to run a block. */
export const NOT_RUN = [
  'needs the network',
  'needs a container engine',
  'needs kubectl',
  'needs systemd',
  'takes long',
  'sets a clone up, which the tests found done',
  'for another shell',
  'a pattern to fill in',
]

interface PageRun {
  /** The page with the current output of its commands. */
  readonly now: string
  /** The first block with a failed command that the page does not show. */
  readonly failures: readonly string[]
}

/** `folder` is new, and used only for this page. */
export async function runPage(page: string, folder: string): Promise<PageRun> {
  const blocks = blocksOf(page)
  const home = await prepare(blocks, folder)
  const ports = new Map([['8080', await freePort()], ['8090', await freePort()]]) // prettier-ignore
  const parts = blocks.map((block, at) => ({ block, at })).filter(({ block }) => isRun(block))
  const outputs = new Map(blocks.flatMap((block) => (block.outputOf ? [[block.outputOf, block]] : [])))
  const scripts = parts.map(({ block, at }) => scriptOf(block, join(folder, `${at}`), outputs.has(block)))
  const script = [PREAMBLE, ...scripts].join('\n')
  const mapped = [...ports].reduce((text, [shown, real]) => text.replaceAll(shown, String(real)), script)
  writeFileSync(join(folder, 'page.sh'), mapped)
  // a page that hangs is killed after 280 s, with its servers
  const env = {
    HOME: home,
    RELEASES: join(folder, 'releases'),
    PYTHONPATH: PYTHON_SOURCES,
    PYTHONDONTWRITEBYTECODE: '1',
    R_LIBS: join(folder, 'r'),
  }
  const { stderr } = await runShell(`timeout 280 bash '${join(folder, 'page.sh')}'`, {
    cwd: join(home, 'here'),
    env,
  })
  const readable = (text: string) =>
    [...ports].reduce((now, [shown, real]) => now.replaceAll(String(real), shown), text).replaceAll(home, '~')
  const printed = (path: string) => (existsSync(path) ? readable(readFileSync(path, 'utf8')) : '')
  const changed = new Map<DocBlock, readonly string[]>()
  const failures: string[] = []
  for (const { block, at } of parts) {
    if (block.file !== undefined) continue
    const [files, output] = [join(folder, `${at}`), outputs.get(block)]
    const status = Number(printed(`${files}.status`) || NaN)
    const failed = printed(`${files}.failed`).match(/^failed: .*/gm) ?? []
    // the last command may fail where the page shows its status
    if (Number.isNaN(status) || failed.length > (status > 0 ? 1 : 0))
      failures.push(
        `line ${block.line}: ${failed[0] ?? 'not run'}\n${printed(`${files}.out`)}${readable(stderr)}`,
      )
    if (output !== undefined) changed.set(output, linesPrinted(printed(`${files}.out`), status))
  }
  return { now: withBlocks(page, changed), failures: failures.slice(0, 1) }
}

/** Whether the block is run: not marked `not run`, and its needs are met. */
export function isRun({ mark = '', file, language }: DocBlock): boolean {
  if (file === undefined && language !== 'sh') return false
  const [, needs] = /^needs: (.*)$/.exec(mark) ?? []
  if (needs === undefined) return !/^(?:not run|run by): /.test(mark)
  return needs.split(' ').every(isHere)
}

function isHere(need: string): boolean {
  if (PUBLISHED.includes(need)) return hasShared
  if (need === 'python3') return findPython() !== undefined
  if (need === 'pandas') return findPython('pandas') !== undefined
  return hasProgram(need, 'bash', '-c', `command -v '${need}'`)
}

/**
 * `release`: 3.58.0 and 3.29.0 are installed. `published-files`: ~/IMGTHLA, ~/numer.v3.zip (codes) and
 * ~/ciwd.3.0.0.csv and ~/EURCWD.csv (catalogues).
 */
const PUBLISHED = ['release', 'published-files']

async function prepare(blocks: readonly DocBlock[], folder: string): Promise<string> {
  const home = join(folder, 'home')
  mkdirSync(join(home, 'here'), { recursive: true })
  const needs = new Set(blocks.filter(isRun).flatMap(({ mark = '' }) => mark.split(' ')))
  // release files are replaced, never changed: hard links suffice
  if (needs.has('release')) execFileSync('cp', ['-al', await installedData(), join(folder, 'releases')])
  if (needs.has('Rscript')) {
    mkdirSync(join(folder, 'r'))
    execFileSync('R', ['CMD', 'INSTALL', '--no-docs', '--no-test-load', `--library=${join(folder, 'r')}`, R_SOURCES], { stdio: 'ignore' }) // prettier-ignore
  }
  if (needs.has('published-files')) {
    symlinkSync(sharedPath('upstream/IMGTHLA'), join(home, 'IMGTHLA'))
    symlinkSync(sharedPath('upstream/mac/numer.v3.zip'), join(home, 'numer.v3.zip'))
    for (const file of ['ciwd.3.0.0.csv', 'EURCWD.csv'])
      symlinkSync(sharedPath(`upstream/cwd/${file}`), join(home, file))
  }
  return home
}

/** Servers end with the page. A request waits until the server's port is open. */
const PREAMBLE = `
set -o pipefail
python3() { '${findPython('pandas') ?? 'python3'}' "$@"; }
exec < /dev/null
trap 'kill $(jobs -p) 2> /dev/null' EXIT
await_port() {
  for _ in $(seq 600); do (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null && return; sleep 0.1; done
  echo "nothing listens on $1" >&2; return 1
}`

function scriptOf({ file, lines, mark = '' }: DocBlock, files: string, isShown: boolean): string {
  if (file !== undefined) return `cat > '${file}' <<'END OF FILE'\n${lines.join('\n')}\nEND OF FILE`
  const data = mark.split(' ').includes('release') ? 'export HLA_DATA_DIR=$RELEASES' : 'unset HLA_DATA_DIR'
  return `${data}
trap 'echo "failed: $BASH_COMMAND" >> "${files}.failed"' ERR
${isShown ? '' : 'set -eE'}
{
${withWaiting(lines.join('\n'))}
} > '${files}.out' 2>&1
echo $? > '${files}.status'
trap - ERR; set +eE`
}

function withWaiting(commands: string): string {
  return commands.replaceAll(/^.*--port (\d+).* &$/gm, '$&\nawait_port $1')
}

/** Output as the page shows it; an exit status other than 0, that of the last command, is a line below. */
function linesPrinted(text: string, status: number): string[] {
  const output = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  return [...output, ...(status === 0 ? [] : [`→ exit status ${status}`])]
}
