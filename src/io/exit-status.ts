/** Exit statuses: the contract of design and manual. Those of errors are in the table of errors. */
import { SIGNAL_STATUS } from './interrupt.ts'

export const EXIT = {
  ok: 0,
  /** not valid, no match, or at least one typing failed */
  no: 1,
  usage: 2,
  data: 3,
  io: 4,
  remote: 5,
  pin: 6,
  bug: 70,
  hungUp: SIGNAL_STATUS.SIGHUP,
  interrupted: SIGNAL_STATUS.SIGINT,
  brokenPipe: 141,
  terminated: SIGNAL_STATUS.SIGTERM,
} as const
