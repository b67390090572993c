/** THE LIST of declarations of the commands that are no operations. */
import type { Declarations } from '../program.ts'
import { declareCompletion } from './completion.ts'
import { declareConfig } from './config.ts'
import { declareData } from './data.ts'
import { declareDrive } from '../../../client/drive/cli/options/declare-drive.ts'
import { declareMan } from './man.ts'
import { declarePipe } from './pipe.ts'
import { declareProvenance } from './provenance.ts'
import { declareServe } from './serve.ts'

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
