/** The main script of a single file, which is that of its threads too: the launcher, and what starts the program after npm.  [disk] */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function mainText(platform) {
  const launcher = readFileSync(join(import.meta.dirname, 'launcher.cjs'), 'utf8')
  const program = readFileSync(join(import.meta.dirname, '../../bin/hla.cjs'), 'utf8').replace(/^#!.*\n/, '')
  // in braces: both have names of their own
  return `{const BUILD = ${JSON.stringify(`single file for ${platform}`)}\n${launcher}}\n${program}`
}
