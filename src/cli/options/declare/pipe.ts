/** `hla pipe`: options of the co-process. */
import type { Command } from 'commander'
import { addExamples } from '../help.ts'
import { addGlobalOptions } from '../options.ts'

export function declarePipe(command: Command): void {
  addGlobalOptions(command, () => false)
  addExamples(command, EXAMPLES)
}

const EXAMPLES = [
  {
    command: `echo '{"op":"validate","gl_string":"A*01:01"}' | hla pipe`,
    output: '{"gl_string":"A*01:01","valid":true,"malformed":false}',
  },
  {
    command: `echo '{"op":"redux","gl_string":"A*01:01:01+A*02:01","reduction_method":"lgx"}' | hla pipe`,
    output:
      '{"gl_string":"A*01:01:01+A*02:01","reduction_method":"lgx","ard":"A*01:01+A*02:01","ipd_version":3580,"status":"ok"}',
  },
  {
    command: `printf '%s\\n' '{"op":"mac","gl_string":"A*01:AB"}' '{"op":"splits","allele":"B14"}' | hla pipe`,
    output: `{"mac":"A*01:AB","gl_string":"A*01:01/A*01:02","alleles":["A*01:01","A*01:02"],"direction":"expand"}
{"allele":"B14","broad":"B14","splits":["B64","B65"]}`,
  },
  {
    command: `echo '{"op":"redux","gl_string":["A*01:01:01","A*02:AB"]}' | hla pipe`,
    output: '{"answers":["A*01:01","A*02:01/A*02:02"]}',
  },
]
