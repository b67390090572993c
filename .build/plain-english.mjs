/**
 * `node .build/plain-english.mjs [FILE...]`: warns of the words of plain-english.txt in changed lines of Markdown and
 * comments, or in all lines of the named files. Changed means since the branch left main, committed or not. The exit
 * status is always 0.  [disk, process]
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(import.meta.dirname, '..')
const WORDS = join(import.meta.dirname, 'plain-english.txt')
const MOST_SHOWN = 20

/** Rows `pattern -> advice` as regular expressions. */
export function readWords(text) {
  return text
    .split('\n')
    .filter((line) => line.includes(' -> ') && !line.startsWith('#'))
    .map((line) => {
      const [pattern, advice] = line.split(' -> ')
      return { pattern: new RegExp(`\\b(?:${pattern})\\b`, 'i'), advice }
    })
}

/** The prose of a line: a line of Markdown without code, or the comment in a line of source. */
export function proseOf(path, line) {
  if (path.endsWith('.md')) return line.replaceAll(/`[^`]*`/g, '')
  return /(?:^\s*\/?\*+|\/\/)\s(.*)$/.exec(line)?.[1] ?? ''
}

/** Warnings for lines `{ path, number, text }`. */
export function findTics(lines, words) {
  return lines.flatMap(({ path, number, text }) => {
    const prose = proseOf(path, text)
    return words.flatMap(({ pattern, advice }) => {
      const found = pattern.exec(prose)?.[0]
      return found === undefined ? [] : [`${path}:${number}: "${found}": ${advice}`]
    })
  })
}

/** Added lines of `git diff -U0`, with their numbers in the new file. */
export function addedLines(diff) {
  const added = []
  let path = ''
  let number = 0
  for (const line of diff.split('\n')) {
    const [, to] = /^\+\+\+ (?:b\/)?(.*)$/.exec(line) ?? []
    const [, from] = /^@@ -\S+ \+(\d+)/.exec(line) ?? []
    if (to !== undefined) path = to
    else if (from !== undefined) number = Number(from)
    else if (line.startsWith('+')) added.push({ path, number: number++, text: line.slice(1) })
  }
  return added
}

function git(...words) {
  const { status, stdout } = spawnSync('git', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 })
  return status === 0 ? stdout : ''
}

function changedLines() {
  const bases = ['origin/main', 'main'].map((branch) => git('merge-base', 'HEAD', branch).trim())
  const base = bases.find((commit) => commit !== '') ?? 'HEAD'
  return addedLines(git('diff', '-U0', '--no-color', base, '--', '*.md', '*.ts', '*.mjs', '*.cjs'))
}

function allLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((text, at) => ({ path, number: at + 1, text }))
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const files = process.argv.slice(2)
  const words = readWords(readFileSync(WORDS, 'utf8'))
  const tics = findTics(files.length === 0 ? changedLines() : files.flatMap(allLines), words)
  for (const tic of tics.slice(0, files.length === 0 ? MOST_SHOWN : tics.length)) console.warn(`plain English: ${tic}`)
  if (files.length === 0 && tics.length > MOST_SHOWN) console.warn(`plain English: ${tics.length - MOST_SHOWN} more`)
}
