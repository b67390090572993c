/** Passwords that commands are given in a file or at a terminal, never as a word of the command line.  [disk] */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { HlaError } from '../../errors.ts'
import { inputPath, inputStream } from '../../io/run.ts'
import { isTerminal, tell } from '../../io/stdout.ts'
import { readNamed } from '../../cli/named-file.ts'

/** Password from a file or the terminal, without the line end. */
export async function readPassword(file: string): Promise<string> {
  if (file === '-' && isTerminal('input')) return typedTwice()
  return readNamed(file === '-' ? inputPath() : file).replace(/\r?\n$/, '')
}

async function typedTwice(): Promise<string> {
  const [first, second] = [await typed('Password: '), await typed('Repeat the password: ')]
  if (first === second) return first
  throw new HlaError('usage', 'the two passwords differ')
}

/** Reads a line from the terminal without echo. */
function typed(prompt: string): Promise<string> {
  tell(prompt)
  const hidden = new Writable({ write: (_bytes, _encoding, done) => done() })
  const lines = createInterface({ input: inputStream(), output: hidden, terminal: true })
  return new Promise((resolve, reject) => {
    lines.once('SIGINT', () => {
      lines.close()
      reject(new HlaError('usage', 'no password was given'))
    })
    lines.question('', (answer) => {
      lines.close()
      tell('\n')
      resolve(answer)
    })
  })
}
