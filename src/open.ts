/** Opening installed data for use in a program.  [disk] */
import type { Engine } from './engine/engine.ts'
import { engineOf } from './engine/engine.ts'
import { type EngineOptions, readOptions } from './engine/options.ts'
import { openInstalled } from './reference/open-release.ts'
import { openStarter } from './reference/open-starter.ts'
import { locateData } from './reference/store/location.ts'

export interface OpenOptions extends Partial<EngineOptions> {
  /** Where releases are installed; default as for the command line. */
  readonly dataDir?: string
}

/**
 * An engine over an installed release: `'3.58.0'`, `'3580'`, `'active'` or `'starter'`.
 * @throws {HlaError} unknown-release, no-data, bad-request
 */
export function openRelease(release = 'active', { dataDir, ...options }: OpenOptions = {}): Engine {
  const { release: tables, mac } =
    release === 'starter' ? openStarter() : openInstalled(locateData(dataDir), release)
  return engineOf(tables, mac, readOptions(options))
}
