/** Receives tables into memory, within a fixed limit for all of them together. */
import type { Readable } from 'node:stream'
import { ByteBlocks } from '../../byte-blocks.ts'

export type Body =
  | { readonly kind: 'whole'; readonly pieces: readonly Buffer[]; readonly release: () => void }
  /** The body exceeds the limit for a table. */
  | { readonly kind: 'long' }
  /** Memory ran out, and this body arrived slowest. */
  | { readonly kind: 'crowded' }

export interface Bodies {
  /** Receives the whole body before the answer starts: browsers read only after sending everything. */
  take(body: Readable): Promise<Body>
}

interface Coming {
  readonly bytes: ByteBlocks
  readonly since: number
  refused: 'long' | 'crowded' | undefined
}

/** `most` limits one body, `room` all of them in bytes, including those being converted. */
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
    // a client that sends a byte now and then must not block the others
    if (held > room) refuse(slowest(coming), 'crowded')
  }
  return {
    async take(body) {
      // shared memory: the converting thread reads it in place
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

/** Slowest of the bodies that hold any bytes. */
function slowest(coming: ReadonlySet<Coming>): Coming {
  const now = performance.now()
  const rate = ({ bytes, since }: Coming) => bytes.size / (now - since + 1)
  const [first] = [...coming]
    .filter(({ bytes }) => bytes.size > 0)
    .sort((one, other) => rate(one) - rate(other))
  if (first === undefined) throw new Error('there is no room, and nothing is coming')
  return first
}
