/** Implementations of the file commands; loaded when one of them runs. */

export { cpCommand } from './cp.ts'
export { mkdirCommand } from './mkdir.ts'
export { mvCommand } from './mv.ts'
export { emptyTrashCommand, trashCommand, untrashCommand } from './trash.ts'
export { getCommand } from './get.ts'
export { logCommand } from './log.ts'
export { lsCommand } from './ls.ts'
export { putCommand } from './put.ts'
export { rmCommand } from './rm.ts'
export { addRuleCommand, listRulesCommand, removeRuleCommand } from './rule.ts'
export { searchCommand } from './search.ts'
export { shareCommand } from './share.ts'
