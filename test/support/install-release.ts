/**
 * Program for tests of other processes and of the loss of power: `own times [force]` installs the small release so many
 * times into one directory, prints a line, and after a single time writes another file until it is killed.
 */
import { writeFileSync } from 'node:fs'
import { parseReleaseNumber } from '../../src/reference/release-number.ts'
import { installRelease } from '../../src/reference/store/install.ts'
import { smallBranch } from './published-release.ts'

const [own = '', times = '', force] = process.argv.slice(2)
const files = [...smallBranch('3.58.0')].map(([name, bytes]) => ({ name, bytes, origin: name }))
const compile = () => Buffer.alloc(1_000_000)
const request = {
  release: parseReleaseNumber('3580'),
  files,
  from: '/data',
  force: force === 'force',
  compile,
}
for (let i = 0; i < Number(times); i += 1) installRelease({ own, system: `${own}-none` }, request)
process.stdout.write('installed\n')
if (times === '1') for (;;) writeFileSync(`${own}/later`, 'x')
