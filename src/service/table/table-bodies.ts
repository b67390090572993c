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

interface Arrival {
  readonly bytes: ByteBlocks
  readonly since: number
  refused: 'long' | 'crowded' | undefined
}

/** `most` limits one body, `room` all of them in bytes, including those being converted. */
export function tableBodies(most: number, room: number): Bodies {
  const arrivals = new Set<Arrival>()
  let heldBytes = 0
  const refuse = (arrival: Arrival, why: 'long' | 'crowded') => {
    heldBytes -= arrival.bytes.size
    arrival.refused = why
    arrival.bytes.clear()
  }
  const keep = (arrival: Arrival, piece: Buffer) => {
    if (arrival.refused !== undefined) return
    arrival.bytes.add(piece)
    heldBytes += piece.length
    if (arrival.bytes.size > most) refuse(arrival, 'long')
    // a client that sends a byte now and then must not block the others
    if (heldBytes > room) refuse(slowest(arrivals), 'crowded')
  }
  return {
    async take(body) {
      // shared memory: the converting thread reads it in place
      const arrival: Arrival = { bytes: new ByteBlocks(true), since: performance.now(), refused: undefined }
      arrivals.add(arrival)
      try {
        for await (const piece of body as AsyncIterable<Buffer>) keep(arrival, piece)
      } catch (error) {
        heldBytes -= arrival.bytes.size
        throw error
      } finally {
        arrivals.delete(arrival)
      }
      if (arrival.refused !== undefined) return { kind: arrival.refused }
      let isHeld = true
      const release = () => {
        if (isHeld) heldBytes -= arrival.bytes.size
        isHeld = false
      }
      return { kind: 'whole', pieces: arrival.bytes.pieces(), release }
    },
  }
}

/** Slowest of the bodies that hold any bytes. */
function slowest(arrivals: ReadonlySet<Arrival>): Arrival {
  const now = performance.now()
  const rate = ({ bytes, since }: Arrival) => bytes.size / (now - since + 1)
  const [first] = [...arrivals]
    .filter(({ bytes }) => bytes.size > 0)
    .sort((one, other) => rate(one) - rate(other))
  if (first === undefined) throw new Error('there is no room, and nothing is coming')
  return first
}
