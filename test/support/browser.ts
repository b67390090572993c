/** A real browser without a window: Debian's Chromium.  [disk, process] */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PROGRAM = process.env['HLA_CHROMIUM'] ?? '/usr/bin/chromium'

export const hasChromium = existsSync(PROGRAM)

if (!hasChromium)
  process.stderr.write(`skipped: tests of the page need ${PROGRAM} (apt-get install chromium)\n`)

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: PROGRAM,
    args: [
      // the tests may run as root, in a container
      '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu',
      // nothing but what the page asks for
      '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
      '--disable-sync',
    ], // prettier-ignore
  })
}
