/** Whether the beginning of a file is that of typing records, with nothing said about it. */
import { isHlaError } from '../../../errors.ts'
import { findToken, makeTokens } from '../../cells/tokens.ts'
import { readTableInput } from '../input.ts'
import { openSource } from './open-records.ts'

export async function recognizeRecords(name: string, sample: Buffer): Promise<boolean> {
  const tokens = makeTokens({})
  try {
    const input = await readTableInput(name, once(sample), { dialect: {} })
    const source = await openSource(input, {
      records: undefined,
      dialect: {},
      header: undefined,
      choice: {},
      isTold: false,
      loci: [],
      isTyping: (text) => findToken(text, undefined, tokens) === undefined,
    })
    return source !== undefined
  } catch (error) {
    // a long table of which something is to be said is one; what cannot be unpacked is another matter
    if (isHlaError(error)) return error.code === 'usage'
    throw error
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
