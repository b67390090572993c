/** Program for tests with several processes: installs the small release five times into one directory. */
import { parseReleaseNumber } from '../../src/reference/release-number.ts'
import { installRelease } from '../../src/reference/store/install.ts'
import { smallBranch } from './published-release.ts'

const [own = '', force] = process.argv.slice(2)
const files = [...smallBranch('3.58.0')].map(([name, bytes]) => ({ name, bytes, origin: name }))
const compile = () => Buffer.alloc(1_000_000)
const request = {
  release: parseReleaseNumber('3580'),
  files,
  from: '/data',
  force: force === 'force',
  compile,
}
for (let i = 0; i < 5; i += 1) installRelease({ own, system: `${own}-none` }, request)
