/** Misbehaving clients: slow ones, vanishing ones, and a crowd that keeps its connections open.  [network] */
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Soaking } from './askers.ts'

const BODY = '{"gl_string":"A*01:01","reduction_method":"lgx"}'
const HEAD = `POST /redux HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n`

/** Sends a byte at a time: at the timeout the service must answer with an error and close the connection. */
export async function slowForever({ port, record, isOver }: Soaking): Promise<void> {
  while (!isOver()) {
    const socket = connect(port(), '127.0.0.1').setNoDelay(true)
    const said = allOf(socket)
    socket.write(HEAD)
    for (let at = 0; at < BODY.length && !socket.closed; at += 1) {
      if (socket.writable) socket.write(BODY.slice(at, at + 1))
      await pause(250)
    }
    const answer = await Promise.race([said, pause(5000, 'nothing at all')])
    if (answer.startsWith('HTTP/1.1 408')) record.right('slow request, refused')
    else record.broken('slow request', answer.slice(0, 100))
    socket.destroy()
  }
}

/** Sends a large request and does not read the answer. */
export async function unreadForever({ port, record, isOver }: Soaking): Promise<void> {
  while (!isOver()) {
    const socket = connect(port(), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.pause()
    const line = `{"op":"redux","gl_string":"A*01:01+A*02:01","reduction_method":"W"}\n`.repeat(2000)
    socket.write(`POST /batch HTTP/1.1\r\nhost: x\r\ncontent-length: ${line.length}\r\n\r\n${line}`)
    await pause(3000)
    socket.destroy()
    record.right('answer that nobody reads')
  }
}

/** Begins a request, then disconnects. */
export async function vanishForever({ port, record, isOver }: Soaking): Promise<void> {
  const heads = [
    HEAD,
    'POST /batch HTTP/1.1\r\nhost: x\r\ncontent-length: 9999\r\n\r\n',
    'POST /table HTTP/1.1\r\nhost: x\r\ncontent-length: 9999\r\n\r\n',
  ]
  for (let at = 0; !isOver(); at += 1) {
    const socket = connect(port(), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`${heads[at % heads.length] ?? ''}{"gl_str`)
    await pause(20)
    if (at % 2 === 0) socket.resetAndDestroy()
    else socket.destroy()
    record.right('upload that breaks off')
  }
}

/** Connections that stay open, with `every` ms between two questions of one. */
export async function crowd(soaking: Soaking, size: number, every: number): Promise<void> {
  const { isOver, record } = soaking
  const members: (Socket | undefined)[] = Array.from({ length: size })
  const slowly = Math.max(1, Math.ceil((size * 50) / every))
  let [turn, most] = [0, 0]
  while (!isOver()) {
    await Promise.all(
      // in the first turns all connect, and stay
      Array.from({ length: turn < size ? Math.min(size, 200) : slowly }, async () => {
        const at = (turn += 1) % size
        const socket = members[at] ?? (members[at] = openMember(soaking, () => (members[at] = undefined)))
        await askOnce(socket, soaking)
      }),
    )
    most = Math.max(most, members.filter((socket) => socket?.readyState === 'open').length)
    await pause(50)
  }
  record.right(`connections open at a time: ${most}`)
  for (const socket of members) socket?.destroy()
}

function openMember({ port }: Soaking, gone: () => void): Socket {
  const socket = connect(port(), '127.0.0.1').setNoDelay(true)
  socket.on('error', () => undefined)
  socket.on('close', gone)
  return socket
}

async function askOnce(socket: Socket, { record }: Soaking): Promise<void> {
  const answer = await new Promise<string>((resolve) => {
    const timer = setTimeout(() => finish('no answer in time'), 20_000)
    const onData = (bytes: Buffer) => finish(bytes.toString('latin1'))
    const onClose = () => finish('closed')
    const finish = (text: string) => {
      clearTimeout(timer)
      socket.off('data', onData).off('close', onClose)
      resolve(text)
    }
    socket.on('data', onData).on('close', onClose)
    socket.write(HEAD + BODY)
  })
  if (answer.includes('"ard":"A*01:01"')) record.right('question of the crowd')
  else record.broken('question of the crowd', answer.slice(0, 100))
}

function allOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let said = ''
    socket.on('data', (bytes) => (said += bytes.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(said))
  })
}
