/** THE LIST of declarations of commands that are not operations. */
import type { Declarations } from '../program.ts'
import { declareConfig } from './config.ts'
import { declareData } from './data.ts'
import { declareDrive } from '../../../drive/commands/options/declare.ts'
import { declareProvenance } from './provenance.ts'
import { declareServe } from './serve.ts'
import { Argument, type Command } from 'commander'
import type { Shell } from '../../../manual/completion/scripts.ts'
import { addExamples } from '../help.ts'
import { addGlobalOptions } from '../options.ts'

function declarePipe(command: Command): void {
  addGlobalOptions(command, () => false)
  addExamples(command, [
    [
      `echo '{"op":"validate","gl_string":"A*01:01"}' | hla pipe`,
      '{"gl_string":"A*01:01","valid":true,"malformed":false,"verdict":"valid"}',
    ],
    [
      `echo '{"op":"redux","gl_string":"A*01:01:01+A*02:01","reduction_method":"lgx"}' | hla pipe`,
      '{"gl_string":"A*01:01:01+A*02:01","reduction_method":"lgx","ard":"A*01:01+A*02:01","ipd_version":3580,"status":"ok"}',
    ],
    [
      `printf '%s\\n' '{"op":"mac","gl_string":"A*01:AB"}' '{"op":"splits","allele":"B14"}' | hla pipe`,
      `{"mac":"A*01:AB","gl_string":"A*01:01/A*01:02","alleles":["A*01:01","A*01:02"],"direction":"expand"}
{"allele":"B14","broad":"B14","splits":["B64","B65"]}`,
    ],
    [
      `echo '{"op":"redux","gl_string":["A*01:01:01","A*02:AB"]}' | hla pipe`,
      '{"answers":["A*01:01","A*02:01/A*02:02"]}',
    ],
  ])
}

function declareMan(command: Command): void {
  command.argument(
    '[page...]',
    'a command, such as "data install", a help topic, or the name of a page: hla-redux (default: hla)',
  )
  addExamples(command, [
    ['hla man redux | head -1', 'hla-redux - reduce typings (GL Strings, alleles, MACs, XX codes, antigens)'],
    ['hla man data install | head -1', 'hla-data - install, list, select and verify nomenclature releases'],
    ['hla man tables | head -1', 'hla-tables - tables of typings: layouts, columns, cells, results'],
  ])
}

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish']

function declareCompletion(command: Command): void {
  command.addArgument(new Argument('<shell>', 'the shell to complete commands for').choices(SHELLS))
  addExamples(command, [
    'source <(hla completion bash)',
    ['hla completion zsh | head -1', '#compdef hla'],
    ['hla completion fish | head -1', '# Completion of hla for fish. Now: hla completion fish | source'],
  ])
}

export const DECLARATIONS: Declarations = {
  data: declareData,
  drive: declareDrive,
  pipe: declarePipe,
  provenance: declareProvenance,
  serve: declareServe,
  config: declareConfig,
  completion: declareCompletion,
  man: declareMan,
}
