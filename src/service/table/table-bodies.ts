/** Bodies of tables while they come: held in memory, all of them together no more than a share that is stated. */
import type { Readable } from 'node:stream'
import { ByteBlocks } from '../../byte-blocks.ts'

export type Body =
  | { readonly kind: 'whole'; readonly pieces: readonly Buffer[]; readonly release: () => void }
  /** It is longer than a table may be. */
  | { readonly kind: 'long' }
  /** Others came faster when there was no room for all. */
  | { readonly kind: 'crowded' }

export interface Bodies {
  /** All of it, before the first byte of the answer: a browser reads nothing until it has sent everything. */
  take(body: Readable): Promise<Body>
}

interface Coming {
  readonly bytes: ByteBlocks
  readonly since: number
  refused: 'long' | 'crowded' | undefined
}

/** `most`: bytes of one; `room`: of all, those that are being converted included. */
export function tableBodies(most: number, room: number): Bodies {
  const coming = new Set<Coming>()
  let held = 0
  const refuse = (one: Coming, why: 'long' | 'crowded') => {
    held -= one.bytes.size
    one.refused = why
    one.bytes.clear()
  }
  const keep = (one: Coming, piece: Buffer) => {
    if (one.refused !== undefined) return
    one.bytes.add(piece)
    held += piece.length
    if (one.bytes.size > most) refuse(one, 'long')
    // who sends a byte now and then must not keep out the others
    if (held > room) refuse(slowest(coming), 'crowded')
  }
  return {
    async take(body) {
      // the thread that converts it reads it where it is
      const one: Coming = { bytes: new ByteBlocks(true), since: performance.now(), refused: undefined }
      coming.add(one)
      try {
        for await (const piece of body as AsyncIterable<Buffer>) keep(one, piece)
      } catch (error) {
        held -= one.bytes.size
        throw error
      } finally {
        coming.delete(one)
      }
      if (one.refused !== undefined) return { kind: one.refused }
      let isHeld = true
      const release = () => {
        if (isHeld) held -= one.bytes.size
        isHeld = false
      }
      return { kind: 'whole', pieces: one.bytes.pieces(), release }
    },
  }
}

/** Of those that hold something. */
function slowest(coming: ReadonlySet<Coming>): Coming {
  const now = performance.now()
  const rate = ({ bytes, since }: Coming) => bytes.size / (now - since + 1)
  const [first] = [...coming]
    .filter(({ bytes }) => bytes.size > 0)
    .sort((one, other) => rate(one) - rate(other))
  if (first === undefined) throw new Error('there is no room, and nothing is coming')
  return first
}
