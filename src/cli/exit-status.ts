/** Exit statuses: the contract of design and manual. Those of errors are in the table of errors. */

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
  hungUp: 129,
  interrupted: 130,
  brokenPipe: 141,
  terminated: 143,
} as const
