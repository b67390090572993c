/** Several files, a sample or some each, as one table: in the order they were given, one open at a time. */
import { createHash } from 'node:crypto'
import { HlaError } from '../../../errors.ts'
import type { FileIdentity } from '../../../io/file-identity.ts'
import type { ByteInput } from '../../../io/file-port.ts'
import { encodeByteText } from '../encoding.ts'
import { readTableInput, type TableInput } from '../input.ts'
import type { RecordFile } from './gathering/record-files.ts'
import { gatheredInput, openSource, type ShapeRequest } from './open-records.ts'
import { namedByFile, personName } from './person-name.ts'
import type { RecordSource } from './typing-record.ts'
import { wideRows } from './wide-rows.ts'

export interface ManyRequest extends ShapeRequest {
  readonly isHashed: boolean
  /** Of workbooks. */
  readonly sheet: string | undefined
  readonly limited: (input: TableInput) => TableInput
}

/** @throws {HlaError} whatever a file is refused for, with its name */
export async function openManyFiles(
  name: string,
  parts: readonly ByteInput[],
  request: ManyRequest,
): Promise<TableInput> {
  const seen = { done: 0, open: (): number => 0 }
  const read: FileIdentity[] = []
  const files = openEach(parts, request, (input, isDone) => {
    if (!isDone) {
      seen.open = input.bytesRead
      return
    }
    seen.done += input.bytesRead()
    seen.open = () => 0
    read.push({ name: input.name, bytes: input.bytesRead(), sha256: input.sha256() ?? '' })
  })
  const all: TableInput = {
    name,
    sample: Buffer.alloc(0),
    compression: undefined,
    chunks: notThere,
    bytesRead: () => seen.done + seen.open(),
    sha256: () => (request.isHashed ? joinedDigest(read) : undefined),
    parts: parts.length === 1 ? undefined : () => read,
  }
  return gatheredInput(all, files, request)
}

/** Of one, its own; of several, that of the lines of `sha256sum`. */
function joinedDigest(files: readonly FileIdentity[]): string {
  const [only, another] = files
  if (only !== undefined && another === undefined) return only.sha256
  const lines = files.map(({ name, sha256 }) => `${sha256}  ${name}\n`)
  return createHash('sha256').update(lines.join('')).digest('hex')
}

async function* notThere(): AsyncGenerator<Buffer> {
  yield* []
}

async function* openEach(
  parts: readonly ByteInput[],
  request: ManyRequest,
  passed: (input: TableInput, isDone: boolean) => void,
): AsyncGenerator<RecordFile> {
  let format: string | undefined
  for (const part of parts) {
    const input = request.limited(await readTableInput(part.name, part.bytes(), request))
    passed(input, false)
    const source = (await openNamed(input, request)) ?? (await openNamedRows(input, request))
    if (format !== undefined && source.format !== format)
      throw new HlaError('io', `${part.name} is read as ${source.format}, the files before it as ${format}`, {
        offending: part.name,
        hint: 'files of one table are of one format; --input-format names it',
      })
    format = source.format
    const person = personName(part.name, request.records?.sampleFrom)
    yield {
      name: part.name,
      person: encodeByteText(person, source.dialect.encoding),
      source: namedByFile(source, request.records?.sampleFrom),
    }
    passed(input, true)
  }
}

async function openNamed(input: TableInput, request: ManyRequest): Promise<RecordSource | undefined> {
  try {
    return await openSource(input, request)
  } catch (error) {
    throw withName(error, input.name)
  }
}

async function openNamedRows(input: TableInput, request: ManyRequest): Promise<RecordSource> {
  try {
    return await wideRows(input, request)
  } catch (error) {
    throw withName(error, input.name)
  }
}

function withName(error: unknown, name: string): unknown {
  if (!(error instanceof HlaError) || error.message.includes(name)) return error
  const { offending, hint, suggestions } = error
  return new HlaError(error.code, `${name}: ${error.message}`, { offending, hint, suggestions, cause: error })
}
