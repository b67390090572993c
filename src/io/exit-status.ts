/** Exit statuses: the contract of design and manual. Those of errors are in the table of errors. */
import { SIGNAL_STATUS } from './interrupt.ts'

export const EXIT = {
  ok: 0,
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

/** Meaning of each status, as the manual prints it. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'Everything asked for succeeded.',
  no: 'The answer is no: not valid, no match, no code; or at least one typing failed.',
  usage:
    'The command line or the settings are wrong: an unknown command, option, column or method, a missing argument, options that exclude each other.',
  data: 'Reference data: not installed, damaged, cut short, or of an unknown format.',
  io: 'A file cannot be read or written, or is not a table.',
  remote: 'A service cannot be reached, or failed after all attempts.',
  pin: 'The data do not match the requested release or data id.',
  bug: 'An error in hla itself. `HLA_DEBUG=1` shows where it is; please report it.',
  hungUp: 'The terminal was closed, or the connection broke (SIGHUP).',
  interrupted: 'Interrupted (SIGINT).',
  brokenPipe: 'The reader closed the pipe (SIGPIPE), as `| head` does. Nothing is printed.',
  terminated: 'Terminated by another process (SIGTERM).',
}
