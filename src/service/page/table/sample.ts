/** The beginning of a file, from which one sees how it is read: of a text so many bytes to the end of a line, of anything else all of it. */

/** Bytes. */
const [START, MOST_WHOLE] = [64 * 1024, 2_000_000]
const TEXT = /\.(?:csv|tsv|tab|txt)$/i

export interface Sample {
  readonly name: string
  readonly content: Blob
  /** Nothing of the file is left out. */
  readonly isWhole: boolean
}

/** undefined: only all of it says anything, and that is too much to be sent twice. */
export async function takeSample(file: File): Promise<Sample | undefined> {
  const name = file.name.replace(/\.gz$/i, '')
  if (TEXT.test(name)) {
    const isPacked = name !== file.name
    const text = isPacked
      ? await firstBytes(file.stream().pipeThrough(new DecompressionStream('gzip')))
      : file
    if (text.size <= START) return { name, content: text, isWhole: true }
    const bytes = new Uint8Array(await text.slice(0, START).arrayBuffer())
    const end = bytes.lastIndexOf(10) + 1
    return end === 0 ? undefined : { name, content: new Blob([bytes.slice(0, end)]), isWhole: false }
  }
  return file.size <= MOST_WHOLE ? { name: file.name, content: file, isWhole: true } : undefined
}

/** One more than the sample takes, so that it is seen whether there is more. */
async function firstBytes(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = stream.getReader()
  while (size <= START) {
    const { done, value } = await reader.read()
    if (done) return new Blob(pieces)
    pieces.push(value)
    size += value.byteLength
  }
  await reader.cancel()
  return new Blob(pieces)
}
