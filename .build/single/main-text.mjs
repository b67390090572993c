/**
 * The main script of a single file, which its threads use too: the launcher, then the starter of the npm package.
 * [disk]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function mainText(platform) {
  const launcher = readFileSync(join(import.meta.dirname, 'launcher.cjs'), 'utf8')
  const program = readFileSync(join(import.meta.dirname, '../../bin/hla.cjs'), 'utf8').replace(/^#!.*\n/, '')
  // in braces, because both declare names
  return `{const BUILD = ${JSON.stringify(`single file for ${platform}`)}\n${launcher}}\n${program}`
}
