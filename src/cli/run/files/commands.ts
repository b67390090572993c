/** What the commands about files of a store do; loaded when one of them runs. */

export { getCommand } from './get.ts'
export { logCommand } from './log.ts'
export { lsCommand } from './ls.ts'
export { putCommand } from './put.ts'
export { rmCommand } from './rm.ts'
export { shareCommand } from './share.ts'
