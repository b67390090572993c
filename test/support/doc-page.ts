/** Code blocks of Markdown pages, with the line before each.  [disk] */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const DOCS = join(ROOT, 'docs')

/** README.md and the pages in docs, relative to the project's root; without decision records, which are not updated. */
export const DOC_PAGES = [
  'README.md',
  ...readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.startsWith('adr/'))
    .map((path) => `docs/${path}`)
    .toSorted(),
]

/** All Markdown pages, relative to the project's root, with decision records. */
export const ALL_PAGES = [
  ...readdirSync(ROOT).filter((path) => path.endsWith('.md')),
  ...['docs', 'clients', 'data', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => `${folder}/${path}`),
  ),
].toSorted()

export interface DocBlock {
  /** 1-based line of the opening fence. */
  readonly line: number
  readonly language: string
  readonly lines: readonly string[]
  /** Text of the comment just before the block: `needs: release`, `not run: needs kubectl`. */
  readonly mark: string | undefined
  /** File name in the line before the block; the block is its content. */
  readonly file: string | undefined
  /** The `sh` block just before this `text` block: what its commands print. */
  readonly outputOf: DocBlock | undefined
}

const FENCE = /^```(\S*)$/

/** @throws {Error} for a block without an end */
export function blocksOf(page: string): DocBlock[] {
  const lines = page.split('\n')
  const blocks: DocBlock[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const [, language] = FENCE.exec(lines[at] ?? '') ?? []
    if (language === undefined) continue
    const end = lines.indexOf('```', at + 1)
    if (end < 0) throw new Error(`the block of line ${at + 1} does not end`)
    const before = lines.slice(0, at).findLast((line) => line !== '') ?? ''
    const last = blocks.at(-1)
    const isOutput = before === '```' && language === 'text' && last?.language === 'sh'
    blocks.push({
      line: at + 1,
      language,
      lines: lines.slice(at + 1, end),
      mark: /^<!-- (.*) -->$/.exec(before)?.[1],
      file: /^`([^`]+)`:$/.exec(before)?.[1],
      outputOf: isOutput ? last : undefined,
    })
    at = end
  }
  return blocks
}

/** The page with the lines of some blocks replaced. */
export function withBlocks(page: string, changed: ReadonlyMap<DocBlock, readonly string[]>): string {
  const lines = page.split('\n')
  // from last to first, so that line numbers stay valid
  for (const [block, now] of [...changed].toSorted(([a], [b]) => b.line - a.line))
    lines.splice(block.line, block.lines.length, ...now)
  return lines.join('\n')
}

/** Running text of the page, without blocks and comments; code is replaced by a placeholder. */
export function textOf(page: string): string {
  return page
    .replaceAll(/^```[^]*?^```$/gm, '')
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/`[^`\n]*`/g, 'x')
}

/** Links of the page into the project: path and anchor, as written. */
export function linksOf(page: string): { path: string; place: string }[] {
  const targets = [...textOf(page).matchAll(/\]\(([^)\s#]*)#?([^)\s]*)\)/g)]
  return targets
    .map(([, path = '', place = '']) => ({ path, place }))
    .filter(({ path }) => !/^[a-z]+:/.test(path))
}

/** Anchors of the page's headings. */
export function placesOf(page: string): Set<string> {
  const places = new Set<string>()
  for (const [, heading = ''] of page.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const place = words
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .trim()
      .replaceAll(' ', '-')
    let [name, count] = [place, 0]
    while (places.has(name)) name = `${place}-${(count += 1)}`
    places.add(name)
  }
  return places
}
