/** The reasons for aborted answers, and the interval at which pending request heads are checked. */
import { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { breakReason, type BreakReason, noteBreak, headChecks } from '../../src/web/connections.ts'

test.for<[ofAnswer: BreakReason | undefined, ofSocket: BreakReason | undefined, isSent: boolean, expected: BreakReason | undefined]>([
  [undefined, undefined, true, undefined],
  [undefined, undefined, false, 'client'],
  [undefined, 'idle', true, undefined],
  [undefined, 'idle', false, 'idle'],
  ['memory', undefined, true, 'memory'],
  ['memory', 'idle', false, 'memory'],
])('of an answer %s, of its connection %s, sent to its end %s: %s', ([ofAnswer, ofSocket, isSent, expected]) => {
  const socket = {} as Socket // only its identity matters
  const response = Object.assign(Object.create(ServerResponse.prototype) as object, { req: { socket } })
  Object.defineProperty(response, 'writableFinished', { value: isSent })
  // the members that are read
  const answer = response as ServerResponse
  if (ofAnswer !== undefined) noteBreak(answer, ofAnswer)
  if (ofSocket !== undefined) noteBreak(socket, ofSocket)
  expect(breakReason(answer)).toBe(expected)
}) // prettier-ignore

test.for<[number, number]>([
  [1000, 1000],
  [5000, 5000],
  [60_000, 5000],
])('a head that may take %d ms is looked at every %d ms', ([timeout, expected]) => {
  expect(headChecks(timeout)).toBe(expected)
})
