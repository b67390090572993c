/** Clients that send requests in a loop, each on its own keep-alive connection.  [network] */
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

export interface Asking {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Asked {
  readonly answered: number
  /** Errors of requests that were sent and not answered. */
  readonly lost: readonly string[]
}

export interface Clients {
  /** Resolves when each client has got an answer. */
  readonly begun: Promise<unknown>
  /** Resolves when connections are refused. */
  readonly ended: Promise<Asked>
}

/** `rest`: maximum ms between an answer and the next request, for every second client. */
export function askUntilRefused(url: string, count: number, asking: Asking, rest: number): Clients {
  const clients = Array.from({ length: count }, (_, at) => {
    let begin: () => void = () => undefined
    const begun = new Promise<void>((resolve) => (begin = resolve))
    return { begun, ended: askAlone(url, asking, at % 2 === 0 ? 0 : rest, begin) }
  })
  return {
    begun: Promise.all(clients.map(({ begun }) => begun)),
    ended: Promise.all(clients.map(({ ended }) => ended)).then(sum),
  }
}

function sum(clients: readonly Asked[]): Asked {
  return {
    answered: clients.reduce((sum, { answered }) => sum + answered, 0),
    lost: clients.flatMap(({ lost }) => lost),
  }
}

async function askAlone(url: string, asking: Asking, rest: number, begin: () => void): Promise<Asked> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let answered = 0
  try {
    for (;;) {
      await ask(url, agent, asking)
      answered += 1
      begin()
      if (rest > 0) await pause(Math.random() * rest)
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { answered, lost: code === 'ECONNREFUSED' ? [] : [`${code ?? message} after ${answered} answers`] }
  } finally {
    agent.destroy()
  }
}

function ask(url: string, agent: Agent, { method, path, headers = {}, body }: Asking): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(url + path, { method, headers, agent }, (answer: IncomingMessage) => {
      answer.on('error', reject).resume()
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve()
        else reject(new Error(`status ${answer.statusCode}`))
      })
    })
    asked.on('error', reject).end(body)
  })
}
