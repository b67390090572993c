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
      `echo '{"op":"splits","allele":"B14"}' | hla pipe`,
      '{"allele":"B14","broad":"B14","splits":["B64","B65"]}',
    ],
    [
      `echo '{"op":"redux","gl_string":["A*01:01:01","A*02:AB"]}' | hla pipe`,
      '{"answers":["A*01:01","A*02:01/A*02:02"]}',
    ],
    'hla pipe -i requests.jsonl -o answers.jsonl',
  ])
}

function declareMan(command: Command): void {
  command.argument(
    '[page...]',
    'a command, such as "data install", a help topic, or the name of a page: hla-redux (default: hla)',
  )
  addExamples(command, [
    { command: 'hla man redux' },
    { command: 'hla man data install' },
    { command: 'hla man tables' },
  ])
}

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish']

function declareCompletion(command: Command): void {
  command.addArgument(new Argument('<shell>', 'the shell to complete commands for').choices(SHELLS))
  addExamples(command, [
    'source <(hla completion bash)',
    'hla completion zsh > _hla',
    'hla completion fish > hla.fish',
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
