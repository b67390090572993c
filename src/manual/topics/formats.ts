/** Help topic: output formats, each with the same question. Pure. */
import { FORMATS, type Format } from '../../operations/answers/records.ts'
import type { ManualFacts } from '../manual-facts.ts'
import { type Block, heading, session, terms, text } from '../page.ts'

const MEANINGS: Readonly<Record<Format, string>> = {
  plain:
    'The answer alone, one line per input, an empty line for a failure; several methods are separated by tabs. `--with-input` puts the input before it.',
  json: 'One JSON object, or an array of them for several answers.',
  jsonl: 'One JSON object a line: for streams.',
  csv: 'Comma-separated, with a header.',
  tsv: 'Tab-separated, with a header and without quotes.',
  table: 'Aligned columns for people to read; the layout may change.',
}

const QUESTION = "hla redux -q -r starter -m G 'A*01:01' 'A*02:'"

/** Output of the question in each format. */
const SHOWN: Readonly<Record<Format, string>> = {
  plain: 'A*01:01:01G\n',
  json: `[
  {
    "gl_string": "A*01:01",
    "reduction_method": "G",
    "ard": "A*01:01:01G",
    "ipd_version": 3580,
    "status": "ok",
    "dataset": "starter"
  },
  {
    "gl_string": "A*02:",
    "reduction_method": "G",
    "ard": null,
    "status": "error",
    "code": "bad-syntax",
    "message": "a field is empty in \\"A*02:\\"",
    "offending": "A*02:",
    "position": [0, 5],
    "suggestions": []
  }
]`,
  jsonl: `{"gl_string":"A*01:01","reduction_method":"G","ard":"A*01:01:01G","ipd_version":3580,"status":"ok","dataset":"starter"}
{"gl_string":"A*02:","reduction_method":"G","ard":null,"status":"error","code":"bad-syntax","message":"a field is empty in \\"A*02:\\"","offending":"A*02:","position":[0,5],"suggestions":[]}`,
  csv: `input,method,result,status,code,message
A*01:01,G,A*01:01:01G,ok,,
A*02:,G,,error,bad-syntax,"a field is empty in ""A*02:"""`,
  tsv: `input\tmethod\tresult\tstatus\tcode\tmessage
A*01:01\tG\tA*01:01:01G\tok\t\t
A*02:\tG\t\terror\tbad-syntax\ta field is empty in "A*02:"`,
  table: `input    method  result       status  code        message
A*01:01  G       A*01:01:01G  ok
A*02:    G                    error   bad-syntax  a field is empty in "A*02:"`,
}

export function formatsTopic({
  recordFormats,
  outputFormats,
  outputFields,
  tablePrograms,
}: ManualFacts): Block[] {
  return [
    ...text(
      '`-f`, `--format` or `HLA_FORMAT` chooses how answers are written. Field names, columns, error codes and exit statuses are a contract; the words of messages and the format `table` are for people and may change.',
      'Every input gives exactly one record, in the order of the inputs, even if it fails.',
    ),
    terms(FORMATS.map((format) => [format, MEANINGS[format]])),
    ...FORMATS.flatMap(example),
    heading('Input'),
    ...text(
      'Besides lines of typings and tables with one row per person, these are read as a table (`hla help tables`): by their content, or as `--input-format` says. A line of each:',
    ),
    terms(
      recordFormats.map(([name, summary, example]) => [
        name,
        `${summary}: \`${example.replaceAll('\t', ' ')}\``,
      ]),
    ),
    ...text('Tables with one row per person, read as they are, come from:'),
    terms(tablePrograms),
    heading('Output of tables'),
    ...text(
      'By default, the output of a table is a table. `--output-format` writes a document of typings or a file of a population genetics program instead. What such a format cannot hold, such as a list of alleles, fails with `not-in-format` and is reported as every failed typing is; a person that it cannot hold is left out and reported. `--second-blank homozygous` writes the only copy of a genotype twice.',
      'Other facts are fields of the format. `--person-columns population=POP` names their columns; `--set date=2026-11-29,project-name=LAB` gives values for all persons, and for those whose cell is empty. Columns with the name of a field are found.',
    ),
    terms(outputFormats),
    ...text('Their fields:'),
    terms(outputFields),
    session(POPULATION),
    heading('Files'),
    ...text(
      '`-o FILE` writes the answers to a file, complete or not at all; a name that ends in `.gz` is compressed. Standard output holds data alone; notes, errors and summaries go to standard error.',
    ),
  ]
}

const POPULATION = {
  command: "printf 'id,A_1,A_2\\n1,01:01:01,02:AB\\n' | hla redux -q -d , --output-format uniformat",
  output: '1\tA*01:01,A*02:01&A*02:02',
}

function example(format: Format): Block[] {
  const command = `${QUESTION} -f ${format} 2>/dev/null`
  return [heading(format), session({ command, output: SHOWN[format], exit: 1 })]
}
