/** A notification receiver: writes each message to its file, then answers. Arguments: port, file.  [disk, network] */
import { openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'

const [port = '0', file = ''] = process.argv.slice(2)
const log = openSync(file, 'a')

createServer((request, response) => {
  const { headers } = request
  request.resume().on('end', () => {
    const words = ['channel-id', 'message-number', 'resource-state'].map((name) => headers[`x-goog-${name}`])
    writeSync(log, `${words.join(' ')} ${Date.now()}\n`)
    response.writeHead(200).end()
  })
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'))
