/** A password that somebody is to sign in with: out of a file or typed, never an argument, which others of the machine see. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { HlaError } from '../../../../errors.ts'
import { hashPassword } from '../../../../drive/domain/sign-in/passwords.ts'
import { tell } from '../../../../io/stdout.ts'
import { readNamed } from '../../../../cli/named-file.ts'

interface PasswordOptions {
  readonly passwordFile?: string
  readonly password?: boolean
}

/** Its hash; null: none from now on; undefined: nothing is said of it. @throws {HlaError} usage */
export async function askedPassword({
  passwordFile,
  password,
}: PasswordOptions): Promise<string | null | undefined> {
  if (passwordFile === undefined) return password === false ? null : undefined
  if (password === false) throw new HlaError('usage', 'either --password-file or --no-password')
  return hashPassword(await readPassword(passwordFile))
}

/** Without the end of its line. */
async function readPassword(file: string): Promise<string> {
  if (file === '-' && process.stdin.isTTY) return typedTwice()
  return readNamed(file === '-' ? '/dev/stdin' : file).replace(/\r?\n$/, '')
}

async function typedTwice(): Promise<string> {
  const [first, second] = [await typed('Password: '), await typed('Once more: ')]
  if (first === second) return first
  throw new HlaError('usage', 'the two passwords differ')
}

/** Without showing it. */
function typed(prompt: string): Promise<string> {
  tell(prompt)
  const hidden = new Writable({ write: (_bytes, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: true })
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
