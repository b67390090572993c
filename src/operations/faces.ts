/** Words errors and outputs for the face that shows them; until then advice is data. */
import { type Advice, adviceText, type Face, FACES } from '../advice.ts'
import type { HlaError } from '../errors.ts'

/** Header in which a command line or page identifies itself; all other clients write requests. */
const HEADER = 'x-hla-words'

export function requestedFace(
  { headers }: { readonly headers: Readonly<Record<string, unknown>> },
  usual: Face = 'request',
): Face {
  return FACES.find((face) => face === headers[HEADER]) ?? usual
}

type Output = Readonly<Record<string, unknown>>

/** Output with the hints of its problems as text. */
export function outputFor(output: Output, face: Face): Output {
  const { problems } = output
  if (!Array.isArray(problems)) return output
  return { ...output, problems: problems.map((problem: Output) => problemFor(problem, face)) }
}

function problemFor(problem: Output, face: Face): Output {
  const entries = Object.entries(problem).flatMap(([name, value]) => {
    // problemRecord produced the value
    const text = name === 'hint' ? adviceText(value as Advice, face) : value
    return text === undefined ? [] : [[name, text] as const]
  })
  return Object.fromEntries(entries)
}

/** First line of the hint. */
export function hintLine({ hint }: Pick<HlaError, 'hint'>, face: Face): string | undefined {
  return adviceText(hint, face)?.split('\n')[0]
}
