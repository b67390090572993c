/** Packs what is written in members of one size, so that the same content gives the same file however it comes. */

export interface Members {
  readonly write: (bytes: Uint8Array) => void
  readonly finish: () => void
}

/** Bytes of content. */
const MEMBER = 1024 * 1024

/** There is at least one member, maybe of nothing. */
export function inMembers(emit: (bytes: Uint8Array) => void): Members {
  let held: Uint8Array[] = []
  let size = 0
  let isEmpty = true
  const emitOne = (bytes: Uint8Array) => {
    isEmpty = false
    emit(bytes)
  }
  return {
    write(bytes) {
      held.push(Buffer.from(bytes))
      size += bytes.length
      if (size < MEMBER) return
      const all = Buffer.concat(held)
      let at = 0
      for (; size - at >= MEMBER; at += MEMBER) emitOne(all.subarray(at, at + MEMBER))
      held = [all.subarray(at)]
      size -= at
    },
    finish() {
      if (size > 0 || isEmpty) emitOne(Buffer.concat(held))
      held = []
      size = 0
    },
  }
}
