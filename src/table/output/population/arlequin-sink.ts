/** Rows of persons -> an Arlequin project file, which begins with the number of persons per population.  [disk] */
import { openSpool } from '../../../io/spool.ts'
import type { Sink } from '../../../io/sink.ts'

/** Separates the population from the lines of a person. */
export const ARLEQUIN_PART = '\u001f'

/** Writes nothing until the last row is known. */
export function arlequinSink(sink: Sink): Sink {
  const spool = openSpool('populations')
  let held = ''
  const take = (text: string) => {
    const lines = (held + text).split('\n')
    held = lines.pop() ?? ''
    for (const line of lines) {
      const [population = '', first = '', second = ''] = line.split(ARLEQUIN_PART)
      spool.add(population, `${first}\n${second}\n`)
    }
  }
  return {
    ...sink,
    write: take,
    writeBytes: (bytes) =>
      take(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')),
    flush: () => undefined,
    async complete() {
      const samples = spool.keys()
      sink.write(profile(samples.length))
      for (const { key, count } of samples) {
        sink.write(`\tSampleName="${key}"\n\tSampleSize=${count}\n\tSampleData={\n`)
        for await (const text of spool.texts(key)) {
          sink.write(text)
          await sink.ready()
        }
        sink.write('\t}\n')
      }
      spool.remove()
      await sink.complete()
    },
    abandon() {
      spool.remove()
      return sink.abandon()
    },
  }
}

function profile(samples: number): string {
  return [
    '[Profile]',
    '\tTitle="HLA typings"',
    `\tNbSamples=${samples}`,
    '\tDataType=STANDARD',
    '\tGenotypicData=1',
    '\tGameticPhase=0',
    '\tRecessiveData=0',
    '\tLocusSeparator=WHITESPACE',
    "\tMissingData='?'",
    '[Data]',
    '[[Samples]]',
    '',
  ].join('\n')
}
