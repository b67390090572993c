/**
 * Requests to the writer of a shared store: with other servers it waits for a complete group before it takes its turn.
 */
import { MessageChannel } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { type Inbox, makeInbox } from '../../../src/drive/persistence/shared/writer-inbox.ts'
import type { ToWriter } from '../../../src/drive/persistence/writer/writer-messages.ts'

const opened: Inbox[] = []
afterEach(() => {
  for (const inbox of opened.splice(0)) inbox.close()
})

function open() {
  const { port1, port2 } = new MessageChannel()
  const inbox = makeInbox(port1, new Int32Array(new SharedArrayBuffer(8)))
  opened.push(inbox)
  inbox.forgetWanted()
  const send = (message: ToWriter) => port2.postMessage(message)
  const command = { command: 'touchFile', caller: undefined, input: {} } as never // the content is ignored
  return {
    inbox,
    send,
    ask: (count: number) => send({ asked: Array.from({ length: count }, () => command) }),
  }
}

/** ms, longer than a test may take: the awaited event must come first. */
const FOR_EVER = 1e6

test('a group is complete when there are as many as in the one before', async () => {
  const { inbox, ask } = open()
  const complete = inbox.assemble({ size: 3, patience: FOR_EVER }, 0)
  for (const count of [1, 1, 2]) ask(count)
  await complete
  expect(inbox.commands.length).toBeGreaterThanOrEqual(3)
})

test('who was alone waits for nobody, and nobody for those who do not come', async () => {
  const { inbox, ask } = open()
  ask(1)
  await inbox.more(FOR_EVER)
  await inbox.assemble({ size: 1, patience: FOR_EVER }, 0)
  await inbox.assemble({ size: 2, patience: 20 }, 0)
  await inbox.assemble({ size: 2, patience: 0 }, 0)
  expect(inbox.commands).toHaveLength(1)
})

test('who has to follow the log first, or to end, does not wait', async () => {
  const { inbox, send } = open()
  const following = inbox.assemble({ size: 2, patience: FOR_EVER }, 6)
  send({ follow: 6 })
  send({ follow: 7 })
  await following
  expect(inbox.wanted()).toBe(7)
  const ending = inbox.assemble({ size: 2, patience: FOR_EVER }, 7)
  send('close')
  await ending
  expect(inbox.isClosing()).toBe(true)
})
