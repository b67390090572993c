/** Examples of the data commands: each as it is with 3.29.0 and 3.58.0 installed, and the published files in the folder. */
import type { Example } from '../../../operations/operation.ts'

/** Subcommand -> examples; what they say, they say on standard error. */
export const DATA_EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  install: [
    { command: 'hla data install 3.58.0 --from IMGTHLA --mac numer.v3.zip', output: '' },
    { command: 'hla data install 3.29.0 --from IMGTHLA --no-mac --data-dir elsewhere', output: '' },
    { command: 'hla data install 3.29.0 --from IMGTHLA --no-mac --as 3.29.0-again --use', output: '' },
  ],
  mac: [
    { command: 'hla data mac numer.v3.zip', output: '' },
    { command: "hla data mac numer.v3.zip && hla mac 'A*01:AB'", output: 'A*01:01/A*01:02' },
    { command: 'hla data mac numer.v3.zip && hla data list --json | grep -c 2020-07-11', output: '2' },
  ],
  catalogue: [
    { command: 'hla data catalogue ciwd3 --from ciwd.3.0.0.csv', output: '' },
    { command: 'hla data catalogue ciwd3 --from ciwd.3.0.0.csv --data-dir data', output: '' },
    {
      command:
        "hla data catalogue ciwd3 --from ciwd.3.0.0.csv && hla cwd --catalogue ciwd3 'A*01:01/A*01:02' | cut -f 1",
      output: 'A*01:01/A*01:02',
    },
  ],
  use: [
    { command: 'hla data use 3.29.0', output: '' },
    { command: 'hla data use 3290', output: '' },
    { command: 'hla data use 3.58', output: '' },
  ],
  remove: [
    { command: 'hla data remove 3.29.0', output: '' },
    { command: 'hla data remove 3290', output: '' },
    { command: 'hla data remove 3.29.0 --data-dir data', output: '' },
  ],
  list: [
    {
      command: 'hla data list',
      output: `   RELEASE  DATE        ALLELES  MAC LIST    STATE
*  3.58.0   2024-10-09  41,433   2020-07-11  verified
   3.29.0   2017-07-10  17,344   2020-07-11  verified`,
    },
    { command: 'hla data list --available --from IMGTHLA | grep -c installed', output: '2' },
    { command: 'hla data list --json | grep -c verified', output: '2' },
  ],
  verify: [
    { command: 'hla data verify 3.58.0', output: '' },
    { command: 'hla data verify --all', output: '' },
    { command: 'hla data verify --json 3.29.0 | grep -c as-installed', output: '2' },
  ],
  info: [
    {
      command: "hla data info | grep '^data id'",
      output: 'data id   3.58.0+mac.20200711 sha256:033e3ecfcd64',
    },
    {
      command: "hla data info 3.29.0 | grep '^data id'",
      output: 'data id   3.29.0+mac.20200711 sha256:acd497102f3b',
    },
    {
      command: 'hla data info | sed -n 1p',
      output: 'release   IPD-IMGT/HLA 3.58.0 (2024-10-09), 41,433 alleles',
    },
  ],
  path: [
    { command: 'hla data path --data-dir /srv/hla', output: '/srv/hla' },
    { command: 'hla data path --data-dir data', output: 'data' },
    { command: 'hla data path 3.29.0 --data-dir data', output: 'data/releases/3.29.0' },
  ],
}
