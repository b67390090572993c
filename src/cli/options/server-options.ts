/** Options shared by both servers, so that their wording is the same. */
import { Option } from 'commander'
import { portNumber } from './options.ts'
import { duration } from './quantities.ts'

export function listenOptions(port: number): Option[] {
  return [
    new Option('--host <address>', 'address to listen on; 0.0.0.0 means all')
      .default('127.0.0.1')
      .env('HLA_HOST'),
    new Option('--port <n>', 'port to listen on; 0 means any free port')
      .argParser(portNumber)
      .default(port)
      .env('HLA_PORT'),
  ]
}

export function idleOption(): Option {
  return new Option('--idle-timeout <time>', 'close idle connections after this time')
    .argParser(duration)
    .default(60_000, '60s')
}

export function drainOptions(): Option[] {
  return [
    new Option('--drain-delay <time>', 'at SIGTERM: report not ready, but keep answering, for this time')
      .argParser(duration)
      .default(0, '0s'),
    new Option('--drain-timeout <time>', 'at SIGTERM: abort requests that take longer than this')
      .argParser(duration)
      .default(30_000, '30s'),
  ]
}

export function certificateOptions(): Option[] {
  return [
    new Option('--tls-cert <file>', 'certificate for HTTPS (PEM)'),
    new Option('--tls-key <file>', 'private key of the certificate (PEM)'),
  ]
}
