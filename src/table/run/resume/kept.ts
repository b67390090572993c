/** The files here that hold what another run needs to go on with a conversion. */
import type { Door } from '../../../io/door.ts'

export interface Kept {
  /** The state, and the part of the output, are named after it. */
  readonly output: string
  /** The parts of the others, where there are any. */
  readonly report: string | undefined
  readonly provenance: string | undefined
  /** Of what goes into a store: parts that get no other name, and go with the state. */
  readonly copies: readonly string[]
}

export interface Named {
  readonly output: string
  readonly report: string | undefined
  readonly provenance: string | undefined
}

export async function keptOf(door: Door, { output, report, provenance }: Named): Promise<Kept> {
  const here = (file: string | undefined) => (file === undefined ? undefined : door.here(file))
  const copies: string[] = []
  for (const file of [output, report, provenance])
    if (file !== undefined && door.isRemote(file)) copies.push(await door.here(file))
  return {
    output: await door.here(output),
    report: await here(report),
    provenance: await here(provenance),
    copies,
  }
}
