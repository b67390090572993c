/** HLAminer: two predictions per gene, each with candidates; the best one and its equals are the typing. */
import type { TypingRecord } from '../typing-record.ts'
import { type ProgramFormat, lineSource } from './line-records.ts'

const PREDICTION = /^\s*Prediction #(\d+) - ([A-Z0-9]+)\*/
const CANDIDATE = /^\s*(?:HLA-)?([A-Z0-9]+)(\*[\d:]+\w?),([\d.]+),([^,]+),([\d.-]+)\s*$/

export const HLA_MINER: ProgramFormat = {
  name: 'hlaminer',
  summary: 'HLAminer',
  example: 'Prediction #1 - A*24 … A*24:02P,9000.5,1e-200,2000',
  isWrittenBy: (lines) => lines.some((line) => PREDICTION.test(line)),
  open(file) {
    return lineSource(file, {
      title: 'HLAminer',
      reading: 'the best candidates of predictions 1 and 2 of each gene',
      extras: [
        { name: 'score', isOfTyping: true },
        { name: 'confidence', isOfTyping: true },
      ],
      ignored: ['candidates with a lower score', 'Expect values'],
      reader: newReader,
    })
  },
}

/** A prediction is complete when the next begins: a candidate as good as the best is one more possibility. */
function newReader(): (text: string, line: number) => readonly TypingRecord[] {
  let rank = 0
  let best: TypingRecord | undefined
  return (text, line) => {
    const predicted = PREDICTION.exec(text)
    if (predicted !== null) {
      rank = Number(predicted[1])
      const done = best
      best = undefined
      return done === undefined ? [] : [done]
    }
    const [, locus, fields, score = '', , confidence = ''] = CANDIDATE.exec(text) ?? []
    if (locus !== undefined && fields !== undefined && (rank === 1 || rank === 2)) {
      const typing = `${locus}${fields}`
      best ??= { person: undefined, locus, typing, slot: rank, line, values: [score, confidence] }
      if (best.values[0] === score && best.typing !== typing && !best.typing.split('/').includes(typing))
        best = { ...best, typing: `${best.typing}/${typing}` }
      return []
    }
    // an empty line, or a heading, ends the gene
    const done = best
    best = undefined
    return done === undefined ? [] : [done]
  }
}
