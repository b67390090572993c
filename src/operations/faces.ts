/** Errors and outputs in the words of the face that shows them: advice is data until then. */
import { type Advice, adviceText, type Face, FACES } from '../advice.ts'
import type { HlaError } from '../errors.ts'

/** The header by which a client that is a command line or the page says so; everybody else writes requests. */
const HEADER = 'x-hla-words'

export function requestedFace(
  { headers }: { readonly headers: Readonly<Record<string, unknown>> },
  usual: Face = 'request',
): Face {
  return FACES.find((face) => face === headers[HEADER]) ?? usual
}

type Output = Readonly<Record<string, unknown>>

/** An output with the hints of its problems as text. */
export function outputFor(output: Output, face: Face): Output {
  const { problems } = output
  if (!Array.isArray(problems)) return output
  return { ...output, problems: problems.map((problem: Output) => problemFor(problem, face)) }
}

function problemFor(problem: Output, face: Face): Output {
  const entries = Object.entries(problem).flatMap(([name, value]) => {
    // made by problemRecord
    const text = name === 'hint' ? adviceText(value as Advice, face) : value
    return text === undefined ? [] : [[name, text] as const]
  })
  return Object.fromEntries(entries)
}

/** The first line of what helps. */
export function hintLine({ hint }: Pick<HlaError, 'hint'>, face: Face): string | undefined {
  return adviceText(hint, face)?.split('\n')[0]
}
