/** Looks a name up once, and lets a connection be made to what was found and checked, to nothing else.  [network] */
import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'

export interface FoundAddress {
  readonly address: string
  readonly family: number
}

export type Resolve = (hostname: string) => Promise<readonly FoundAddress[]>

export const resolveName: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true })

/** One address that may not be connected to refuses the name, whatever others it has. */
export function checkedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (all) => {
        const [first] = all
        if (first === undefined) return callback(new Error(`${hostname} has no address`), '')
        const refused = all.find(({ address }) => !isAllowed(address))
        if (refused !== undefined)
          return callback(new Error(`${hostname} is ${refused.address}, which nothing is sent to`), '')
        if (options.all === true) return callback(null, [...all])
        return callback(null, first.address, first.family)
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), ''),
    )
  }
}
