/** Processes of a service that gets no requests. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'

/** Ids of the child processes of the service. */
function processesOf({ child: { pid } }: Drive): string[] {
  const { status, stdout, stderr } = spawnSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' })
  // exit status 1: no process found
  if (status !== 0 && status !== 1) throw new Error(`pgrep: ${stderr}`)
  return stdout.split('\n').filter((line) => line !== '')
}

test('processes for lists start with the first list that is not light', async () => {
  const drive = await startDrive()
  const list = (query: Readonly<Record<string, string>>) =>
    drive.ask('GET', '/drive/v2/files', { query }).then(({ status }) => status)
  expect(await list({})).toBe(200)
  expect(processesOf(drive)).toEqual([])
  expect(await list({ q: "fullText contains 'a'" })).toBe(200)
  expect(processesOf(drive)).not.toEqual([])
  await drive.stop()
})
