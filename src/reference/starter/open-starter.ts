/** Opening the built-in starter set: as built with the package or, in a checkout that is not built, from its tables.  [disk] */
import { isHlaError } from '../../errors.ts'
import { packageFile, packageText } from '../../package-root.ts'
import { readFixedTables } from '../compile/fixed-tables.ts'
import { encodeRelease } from '../compile/encode.ts'
import { lateMacTable, type MacTable, readMacTable } from '../mac-table.ts'
import { type Release, readRelease } from '../release.ts'
import { encodeStarterCodes } from './starter-codes.ts'
import { compileStarter } from './starter.ts'

export interface Starter {
  readonly release: Release
  readonly mac: MacTable
}

/** Where the build puts the two. */
export const STARTER_FILES = { release: 'starter.bin', mac: 'starter-mac.bin' } as const

export function openStarter(): Starter {
  return {
    release: openBuilt(STARTER_FILES.release, compiledStarter, (bytes) =>
      readRelease(bytes, compiledStarter),
    ),
    mac: lateMacTable(() => openBuilt(STARTER_FILES.mac, compiledStarterCodes, readMacTable)),
  }
}

/** As built; made from its table when it was not, or is damaged. */
function openBuilt<T>(name: string, make: () => Uint8Array, open: (bytes: Uint8Array) => T): T {
  const built = packageFile('dist', name)
  if (built === undefined) return open(make())
  try {
    return open(built)
  } catch (error) {
    if (!isHlaError(error)) throw error
    return open(make())
  }
}

/** Bytes of the release, from data/starter. */
export function compiledStarter(): Uint8Array {
  return encodeRelease(compileStarter(readTable('alleles.tsv'), readFixedTables()))
}

/** Bytes of the list of codes, from data/starter. */
export function compiledStarterCodes(): Uint8Array {
  return encodeStarterCodes(readTable('codes.tsv'))
}

function readTable(name: string): string {
  return packageText('data', 'starter', name)
}
