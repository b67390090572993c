/** What the artefacts of a release are told by: package.json, and what a recipe needs that npm does not.  [disk] */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
const { name, version, description, license, homepage, author, engines } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
)
export { name, version, description, license, homepage, author, engines }
