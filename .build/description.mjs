/** The description that all packages of a release share: package.json, and fields that npm lacks.  [disk] */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')
/** Folder for the files of a release. */
export const RELEASE = join(ROOT, process.env.HLA_RELEASE_FOLDER ?? 'release')

const facts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
export const { name, version, description, license, homepage, author } = facts
/** `20.19` */
export const oldestNode = facts.engines.node.replace('>=', '')
/** Address of a release's files after it is published. */
export const downloads = `${homepage}releases/v${version}`
/** A command that every package must run, and its answer. */
export const TRIAL = {
  words: ['redux', '-q', '-r', 'starter', '-m', 'G', 'A*01:01:01:01'],
  answer: 'A*01:01:01G',
}
