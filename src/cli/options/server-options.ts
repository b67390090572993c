/** Options shared by both servers, so that their wording is the same. */
import { Option } from 'commander'
import { portNumber } from './options.ts'
import { duration } from './quantities.ts'

export function listenOptions(port: number): Option[] {
  return [
    new Option('--host <address>', 'address to listen on; 0.0.0.0 is every one')
      .default('127.0.0.1')
      .env('HLA_HOST'),
    new Option('--port <n>', 'port to listen on; 0 is any free one')
      .argParser(portNumber)
      .default(port)
      .env('HLA_PORT'),
  ]
}

export function idleOption(): Option {
  return new Option('--idle-timeout <time>', 'connections on which nothing moves are closed')
    .argParser(duration)
    .default(60_000, '60s')
}

export function drainOptions(): Option[] {
  return [
    new Option('--drain-delay <time>', 'at SIGTERM: not ready, but answering, for so long')
      .argParser(duration)
      .default(0, '0s'),
    new Option('--drain-timeout <time>', 'at SIGTERM: what is not answered by then is cut off')
      .argParser(duration)
      .default(30_000, '30s'),
  ]
}

export function certificateOptions(): Option[] {
  return [
    new Option('--tls-cert <file>', 'certificate for HTTPS'),
    new Option('--tls-key <file>', 'key of the certificate'),
  ]
}
