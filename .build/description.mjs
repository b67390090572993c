/** What every package of a release is told by: package.json, and the few things that npm has no place for.  [disk] */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')
/** Where files of a release are made. */
export const RELEASE = join(ROOT, process.env.HLA_RELEASE_FOLDER ?? 'release')

const facts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
export const { name, version, description, license, homepage, author } = facts
/** `20.19` */
export const oldestNode = facts.engines.node.replace('>=', '')
/** Where a release's files are, once somebody has published them. */
export const downloads = `${homepage}releases/v${version}`
/** A command that every package is tried with, and its answer. */
export const TRIAL = {
  words: ['redux', '-q', '-r', 'starter', '-m', 'G', 'A*01:01:01:01'],
  answer: 'A*01:01:01G',
}
