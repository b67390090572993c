/**
 * Cuts zstd data into its frames (RFC 8878, section 3.1) without unpacking them. Node 22 and 24 unpack the first frame and drop
 * all others (nodejs/node issue 64741), and Node 22 takes a frame that is cut short for a whole one (64592).
 */
import { HlaError } from '../../errors.ts'

export interface FramePiece {
  readonly bytes: Buffer
  /** The frame ends here. */
  readonly isEnd: boolean
}

export interface FrameCutter {
  readonly cut: (chunk: Buffer) => FramePiece[]
  /** Nothing more may come: a frame has ended. */
  readonly isBetween: () => boolean
}

/** What is read next: so many bytes to look at, or to pass over. */
interface Step {
  readonly need: number
  readonly next: (looked: Buffer) => Step
  readonly isPassed?: boolean
  readonly isBetween?: boolean
}

export function frameCutter(): FrameCutter {
  let step = BETWEEN
  let looked: Buffer = Buffer.alloc(0)
  let passed = 0
  return {
    cut(chunk) {
      const pieces: FramePiece[] = []
      let start = 0
      for (let at = 0; at < chunk.length;) {
        const take = Math.min(step.need - passed, chunk.length - at)
        if (!step.isPassed) looked = Buffer.concat([looked, chunk.subarray(at, at + take)])
        passed += take
        at += take
        if (passed < step.need) break
        step = step.next(looked)
        while (step.need === 0) step = step.next(looked)
        looked = Buffer.alloc(0)
        passed = 0
        if (!step.isBetween) continue
        pieces.push({ bytes: chunk.subarray(start, at), isEnd: true })
        start = at
      }
      if (start < chunk.length) pieces.push({ bytes: chunk.subarray(start), isEnd: false })
      return pieces
    },
    isBetween: () => step.isBetween === true && passed === 0,
  }
}

const MAGIC = 0xfd2fb528
/** Of frames without data; the last four bits are free. */
const SKIPPABLE = 0x184d2a5

const BETWEEN: Step = { need: 4, next: afterMagic, isBetween: true }

function afterMagic(looked: Buffer): Step {
  const magic = looked.readUInt32LE(0)
  if (magic === MAGIC) return { need: 1, next: afterDescriptor }
  if (magic >>> 4 === SKIPPABLE) return { need: 4, next: afterSize }
  throw new HlaError('io', 'the bytes after the compressed data are not zstd')
}

function afterSize(looked: Buffer): Step {
  return { need: looked.readUInt32LE(0), isPassed: true, next: () => BETWEEN }
}

/** Section 3.1.1.1: window, number of the dictionary, size of the content. */
function afterDescriptor([descriptor = 0]: Buffer): Step {
  const isSingle = (descriptor & 0x20) !== 0
  const window = isSingle ? 0 : 1
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0
  const content = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  const checksum = (descriptor & 4) === 0 ? 0 : 4
  return { need: window + dictionary + content, isPassed: true, next: () => readBlock(checksum) }
}

function readBlock(checksum: number): Step {
  return { need: 3, next: (looked) => afterBlockHeader(looked, checksum) }
}

function afterBlockHeader(looked: Buffer, checksum: number): Step {
  const header = looked.readUIntLE(0, 3)
  const isLast = (header & 1) === 1
  const isRepeated = ((header >> 1) & 3) === 1
  const next = isLast
    ? () => ({ need: checksum, isPassed: true, next: () => BETWEEN })
    : () => readBlock(checksum)
  return { need: isRepeated ? 1 : header >> 3, isPassed: true, next }
}
