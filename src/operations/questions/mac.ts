/** mac: expand a Multiple Allele Code, or find the code of an allele list. */
import { assured, HlaError, type Note } from '../../errors.ts'
import type { OperationRequest } from '../operation-request.ts'
import { DESIGNATION_KINDS } from '../../engine/options.ts'
import { findAntigen } from '../../engine/antigen-levels.ts'
import { findXxCode } from '../../engine/antigens.ts'
import { spellingNotes } from '../../engine/designate.ts'
import { expandCode, isWrittenAsCode } from '../../engine/mac.ts'
import { lookUpCodes } from '../../engine/expand/mac-lookup.ts'
import { type Engine, releaseTitle } from '../../engine/engine.ts'
import { withoutPrefix } from '../../nomenclature/allele.ts'
import { parseAntigen } from '../../nomenclature/antigen.ts'
import { withAdvice } from '../answers/advice.ts'
import { DATASET_SCHEMA, defineOperation, describeDataset, NOTES_SCHEMA, withNotes } from '../operation.ts'
import { type Knowledge, refuseStarter } from '../knowledge.ts'
import { answerWithOptions, READING_PROPERTIES } from '../answers/lifting.ts'
import { object, type ValueOf } from '../schema.ts'
import { MAC_ROUTES, xxReply } from './mac-routes.ts'

const INPUT = object(['gl_string'], {
  gl_string: { type: 'string', description: 'a MAC to expand, or an allele list to look up' },
  direction: {
    type: 'string',
    enum: ['expand', 'lookup'],
    description: 'by default, a MAC is expanded and an allele list looked up',
  },
  xx: { type: 'boolean', description: 'expand XX codes too, and find the XX code of an antigen' },
  all_codes: { type: 'boolean', description: 'list every matching MAC, not only the best one' },
  raw: {
    type: 'boolean',
    description: 'expand as defined, including alleles that do not exist in the release',
  },
  hats: {
    type: 'boolean',
    description: 'list all two-field names that share a HATS antigen with those of the code',
  },
  ...READING_PROPERTIES,
})

type Input = ValueOf<typeof INPUT>

interface MacAnswer {
  readonly mac: string
  readonly alleles: readonly string[]
  readonly macs?: readonly string[]
  readonly notes: readonly Note[]
}

export const macOperation = defineOperation({
  name: 'mac',
  group: 'names',
  summary: 'Expand a MAC, or find the MAC of an allele list',
  http: {
    method: 'POST',
    path: '/mac',
    summary: 'Finds the MAC that stands for a list of alleles',
    preset: { direction: 'lookup' },
    also: MAC_ROUTES,
    plain: formatMac,
    fromReply: xxReply,
    settle: (input) => ({ ...input, direction: chooseDirection(input) }),
    failure: 'no-mac',
  },
  subject: 'gl_string',
  answer: 'mac',
  choiceFlags: ['direction'],
  input: INPUT,
  repeats: (input) => repeatedOf(input),
  output: object(['mac', 'gl_string', 'alleles', 'direction'], {
    mac: { type: 'string' },
    gl_string: { type: 'string', description: 'the alleles, separated by "/"' },
    alleles: { type: 'array', items: { type: 'string' } },
    macs: {
      type: 'array',
      items: { type: 'string' },
      description: 'every matching MAC, best first (all_codes)',
    },
    direction: { type: 'string', enum: ['expand', 'lookup'] },
    dataset: DATASET_SCHEMA,
    notes: NOTES_SCHEMA,
  }),
  examples: [
    { command: "hla mac 'HLA-A*01:BC'", output: 'HLA-A*01:02/HLA-A*01:03' },
    { command: "hla mac 'A*01:02/A*01:01/A*01:03'", output: 'A*01:MN' },
    { command: "hla mac --xx 'A*43:XX'", output: 'A*43:01/A*43:02N/A*43:03' },
    { command: "hla mac --xx 'B62'", output: 'B*15:XX' },
    {
      command: "printf 'id,A_1,A_2\\n1,01:01,02:AB\\n' | hla mac -d ,",
      output: 'id,A_1,A_1_mac,A_2,A_2_mac\n1,01:01,A*01:01,02:AB,A*02:01/A*02:02',
    },
  ],
  run: (input, knowledge) =>
    withAdvice(input.gl_string, knowledge, () =>
      // codes expand to two-field names
      answerWithOptions(input.gl_string, { ...input, keepsFields: true }, knowledge, (read) => {
        const asked = { ...input, gl_string: read.text }
        const direction = chooseDirection(asked)
        const { mac, alleles, macs, notes } =
          direction === 'expand'
            ? expand(asked, knowledge.engine(undefined, read.membersOf))
            : lookUp(asked, knowledge)
        return {
          mac,
          gl_string: alleles.join('/'),
          alleles,
          ...(macs === undefined ? {} : { macs }),
          direction,
          ...describeDataset(knowledge),
          ...withNotes([...read.notes, ...read.placed(notes)]),
        }
      }),
    ),
  toText: formatMac,
  cells: {
    columns: ['mac'],
    outcome: (output: Output | CheckedName) =>
      'ard' in output
        ? { results: [output.ard], kind: 'kept' }
        : { results: [formatMac(output)], kind: output.direction === 'expand' ? 'expanded' : 'coded' },
    // tables mix names with codes: a name is its own expansion, and has no code
    instead: (input) => (isSingleName(input.gl_string) ? keptAsTyped(input) : undefined),
    kinds: ['expanded', 'coded', 'kept'],
    notesMembers: true,
    areTypings: true,
  },
})

type Output = Readonly<{
  direction: 'expand' | 'lookup'
  gl_string: string
  mac: string
  macs?: readonly string[] | undefined
}>

function formatMac({ direction, gl_string, mac, macs }: Output): string {
  return direction === 'expand' ? gl_string : (macs?.join('/') ?? mac)
}

function isSingleName(glString: string): boolean {
  return !/[\^?|+~/]/.test(glString) && !isWrittenAsCode(glString)
}

/** Answer of `keptAsTyped`. */
interface CheckedName {
  readonly ard: string
}

/** Reduction that checks a name and leaves it unchanged, whatever its kind. */
function keptAsTyped({ gl_string, from, lift, accept }: Input): OperationRequest {
  const keep = DESIGNATION_KINDS.filter((kind) => kind !== 'v2')
  const reading = Object.entries({ from, lift, accept }).filter(([, value]) => value !== undefined)
  const input = { gl_string, reduction_method: 'W', options: { keep }, ...Object.fromEntries(reading) }
  return { operation: 'redux', input }
}

/** Echo of the input; empty when the text is read in another form, since the answer then differs from it. */
function repeatedOf(input: Input): Readonly<Record<string, string>> {
  const { gl_string, from, lift, accept, xx } = input
  if (from !== undefined || lift === true || accept !== undefined || gl_string.includes('#')) return {}
  const direction = chooseDirection(input)
  if (direction === 'expand') return { direction, mac: gl_string }
  return xx === true ? { direction } : { direction, gl_string }
}

function chooseDirection({ direction, gl_string }: Input): 'expand' | 'lookup' {
  return direction ?? (isWrittenAsCode(gl_string) ? 'expand' : 'lookup')
}

function expand({ gl_string, xx, raw, hats }: Input, engine: Engine): MacAnswer {
  const { names, notes } = expandCode(engine, gl_string, { xx, raw, hats })
  return { mac: gl_string, alleles: names, notes }
}

function lookUp({ gl_string: glString, xx, all_codes: all, hats }: Input, knowledge: Knowledge): MacAnswer {
  if (hats === true)
    throw new HlaError('unknown-mac', `${glString.slice(0, 60)} is not a MAC; names that share HATS antigens can only be listed for a MAC`) // prettier-ignore
  if (xx === true && parseAntigen(withoutPrefix(glString)) !== undefined)
    return antigenCode(glString, knowledge)
  if (all === true) refuseStarter(knowledge, 'listing every code that fits')
  const { codes, notes } = lookUpCodes(knowledge.engine(), glString)
  return {
    mac: assured(codes[0], 'a look-up without a code is refused'),
    alleles: glString.split('/'),
    ...(all === true ? { macs: codes } : {}),
    notes,
  }
}

/** Some antigens map to codes that the release lacks: a note reports it, and the code remains the answer. */
function antigenCode(antigen: string, knowledge: Knowledge): MacAnswer {
  const engine = knowledge.engine()
  const code = findXxCode(engine, antigen)
  const bare = withoutPrefix(antigen)
  const spelling = spellingNotes(bare, findAntigen(bare, engine.release) ?? bare, engine)
  if (engine.release.listOf('xx', withoutPrefix(code).slice(0, -3)) !== undefined)
    return { mac: code, alleles: expandCode(engine, code, { xx: true }).names, notes: spelling }
  const message = `${antigen} corresponds to the XX code ${code}, which has no allele in ${releaseTitle(engine)}`
  return {
    mac: code,
    alleles: [],
    notes: [...spelling, { level: 'warning', code: 'no-alleles', message, offending: antigen }],
  }
}
